import type { ScoredToken, Want } from '../replay/requests';
import type { ScoredPosition } from './prepare';

/** What one row of logits says. Nats. */
export interface RowScore {
  /** Of the token that was asked for. */
  readonly logprob: number;
  /** How many tokens are likelier than the one asked for. */
  readonly rank: number;
  readonly entropy: number;
  /** The token with the largest logit. */
  readonly best: number;
  readonly bestLogprob: number;
  /** Distance from the best logit to the second. */
  readonly margin: number;
  /** Log-probabilities of the whole vocabulary, where they were asked for. */
  readonly distribution?: Float32Array;
}

/** All of it from the logits, in float64. */
export function scoreRow(row: Float32Array, token: number, distribution = false): RowScore {
  let [best, largest, second] = [-1, -Infinity, -Infinity];
  for (let id = 0; id < row.length; id++) {
    const logit = row[id] ?? NaN;
    if (logit > largest) [best, largest, second] = [id, logit, largest];
    else if (!(logit <= second)) second = logit;
  }
  let sum = 0;
  for (const logit of row) sum += Math.exp(logit - largest);
  const total = largest + Math.log(sum);
  const chosen = row[token] ?? NaN;
  let [entropy, rank] = [0, 0];
  for (const logit of row) {
    if (logit > -Infinity) entropy -= Math.exp(logit - total) * (logit - total);
    if (logit > chosen) rank++;
  }
  const score = { logprob: chosen - total, rank, entropy, best, bestLogprob: largest - total, margin: largest - second };
  return distribution ? { ...score, distribution: row.map((logit) => logit - total) } : score;
}

/** What is wanted of one scored token; undefined where the row is not finite. */
export function scoredToken({ logprob, entropy, rank, distribution }: RowScore, { id, text }: ScoredPosition, want: readonly Want[]): ScoredToken | undefined {
  if (!Number.isFinite(logprob)) return undefined;
  return {
    id,
    text,
    logprob,
    ...(want.includes('entropy') ? { entropy } : {}),
    ...(want.includes('rank') ? { rank } : {}),
    ...(distribution && want.includes('distribution') ? { distribution } : {}),
  };
}
