import type { ReplayResult } from '../../src/replay/requests';
import { figure, type Figure } from './figures';
import type { PeerResult } from './peerProcess';

/** |Δ log-probability| of a token in fp32, and |ΔS| of a quantised policy with fp32 activations. */
const barOfLogprob = 1e-4;
const barOfMean = 2e-3;
/** Two implementations may decode differently where the two best logits are nearer than this. */
const coinToss = 1e-3;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How far the product's figures are from a peer's. */
export function agreement(name: string, results: readonly ReplayResult[], peer: PeerResult, quantised: boolean): Figure[] {
  let [token, sequence, otherAnswers] = [0, 0, 0];
  for (const [i, ours] of results.entries()) {
    const theirs = peer.results[i];
    if (ours.kind === 'likelihood' && theirs !== undefined && 'logprobs' in theirs) {
      const logprobs = ours.tokens.map(({ logprob }) => logprob);
      token = Math.max(token, ...logprobs.map((logprob, k) => Math.abs(logprob - (theirs.logprobs[k] ?? Number.NaN))));
      sequence = Math.max(sequence, Math.abs(mean(logprobs) - mean(theirs.logprobs)));
    } else if (ours.kind === 'answer' && theirs !== undefined && 'ids' in theirs) {
      if (ours.margin > coinToss && ours.ids.join() !== theirs.ids.join()) otherAnswers += 1;
    }
  }
  return [
    figure(`${name}: furthest |Δ log-probability|`, token, quantised ? null : barOfLogprob),
    figure(`${name}: furthest |ΔS|`, sequence, quantised ? barOfMean : null),
    figure(`${name}: answers that differ`, otherAnswers, 0),
  ];
}
