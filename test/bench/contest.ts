import { writeFileSync } from 'node:fs';

import { defaultSettings } from '../../src/credit/settings';
import type { Policy, ReplayStats } from '../../src/replay/policy';
import type { ReplayResult } from '../../src/replay/requests';
import type { Scorer } from '../../src/scoring/scorer';
import type { Trajectory } from '../../src/trajectory/model';
import { figure, median, type Figure } from './figures';
import type { Peer, PeerResult } from './peerProcess';
import { empty, type Recording } from './product';
import { tokenRequests } from './tokenRequests';

/** Everybody who takes part; all of them hold the same policy, loaded and warm, on the same machine. */
export interface Contestants {
  readonly policy: Policy;
  readonly scorer: Scorer;
  readonly recording: Recording;
  readonly bareForks: Peer;
  readonly naive: Peer;
  readonly endToken: string | undefined;
  /** Whether the product computes with the graph as it lies in the folder: only then do its numbers have to be the peers'. */
  readonly sameArithmetic: boolean;
}

export interface Workload {
  readonly name: string;
  readonly trajectories: readonly Trajectory[];
}

const rounds = 7;
/** The naive peer is slow and only reported. */
const naiveRounds = 3;
const barOfTime = 1.5;
const barOfLogprob = 1e-4;
/** Two implementations may decode differently where the two best logits are nearer than this. */
const coinToss = 1e-3;

/** The product and both peers in turn, several times over, since a machine's speed drifts: the median of each round's own ratio counts. */
export async function contest(workload: Workload, c: Contestants, requestsFile: string): Promise<Figure[]> {
  const { name, trajectories } = workload;
  const score = async (ignoreCache: boolean): Promise<number> => {
    empty(c.recording);
    const start = performance.now();
    await c.scorer.score(
      trajectories,
      { settings: defaultSettings, scope: trajectories.length > 1 ? 'question' : 'trajectory', ignoreCache },
      { requests: () => undefined, turns: () => undefined },
    );
    return performance.now() - start;
  };

  await score(true);
  const { stats } = c.recording;
  const answered = c.recording.requests.flatMap((request, i) => {
    const result = c.recording.results[i];
    return result === undefined || result.kind === 'undefined' ? [] : [{ request, result }];
  });
  const results = answered.map(({ result }) => result);
  const requests = await tokenRequests(
    c.policy,
    answered.map(({ request }) => request),
    c.endToken,
  );
  writeFileSync(requestsFile, JSON.stringify({ requests }));
  const bare = await c.bareForks.run(requestsFile);
  const naive = await c.naive.run(requestsFile);

  const overBare: number[] = [];
  const overNaive: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Who goes first alternates, so that neither always finds the caches warm.
    const turns = [() => score(true), async () => (await c.bareForks.run(requestsFile)).ms];
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    const ms: number[] = [];
    for (const i of order) ms[i] = (await turns[i]?.()) ?? Number.NaN;
    const [product = Number.NaN, peer = Number.NaN] = ms;
    overBare.push(product / peer);
    if (round < naiveRounds) overNaive.push(product / (await c.naive.run(requestsFile)).ms);
  }
  await score(false);
  const ranFromCache = c.recording.requests.length;

  return [
    figure(`${name}: warm re-score / bare forks`, median(overBare), barOfTime),
    figure(`${name}: warm re-score / naive`, median(overNaive)),
    figure(`${name}: tokens run / tokens of the tree`, total(stats, 'tokensRun') / total(stats, 'tokensTree'), 1),
    figure(`${name}: requests run by a second re-score`, ranFromCache, 0),
    ...[
      ['bare forks', bare],
      ['naive', naive],
    ].flatMap(([peer, its]) => agreement(`${name}: against ${peer as string}`, results, its as PeerResult, c.sameArithmetic)),
  ];
}

const total = (stats: readonly ReplayStats[], key: 'tokensRun' | 'tokensTree'): number => stats.reduce((sum, s) => sum + s[key], 0);

function agreement(name: string, results: readonly ReplayResult[], peer: PeerResult, binding: boolean): Figure[] {
  let furthest = 0;
  let otherAnswers = 0;
  for (const [i, ours] of results.entries()) {
    const theirs = peer.results[i];
    if (ours.kind === 'likelihood' && theirs !== undefined && 'logprobs' in theirs) {
      for (const [k, token] of ours.tokens.entries()) furthest = Math.max(furthest, Math.abs(token.logprob - (theirs.logprobs[k] ?? Number.NaN)));
    } else if (ours.kind === 'answer' && theirs !== undefined && 'ids' in theirs) {
      if (ours.margin > coinToss && ours.ids.join() !== theirs.ids.join()) otherAnswers += 1;
    }
  }
  return [
    figure(`${name}: furthest |Δ log-probability|`, furthest, binding ? barOfLogprob : null),
    figure(`${name}: answers that differ`, otherAnswers, binding ? 0 : null),
  ];
}
