import type { ScoredToken, Want } from '../replay/requests';
import type { ScoredPosition } from './prepare';

/** log Σ exp over a row of logits, in float64; not finite where the row is not. */
export function logSumExp(row: Float32Array): number {
  let most = -Infinity;
  for (const logit of row) if (!(logit <= most)) most = logit;
  let sum = 0;
  for (const logit of row) sum += Math.exp(logit - most);
  return most + Math.log(sum);
}

export interface Choice {
  /** The token with the largest logit; of equal ones the first. */
  readonly id: number;
  /** Nats. */
  readonly logprob: number;
  /** Distance to the second logit. */
  readonly margin: number;
}

/** The greedy choice of a row; `undefined` where it holds no number to choose by. */
export function choose(row: Float32Array): Choice | undefined {
  let id = -1;
  let best = -Infinity;
  let second = -Infinity;
  for (let token = 0; token < row.length; token++) {
    const logit = row[token] ?? NaN;
    if (logit > best) {
      second = best;
      best = logit;
      id = token;
    } else if (logit > second) second = logit;
  }
  const logprob = best - logSumExp(row);
  return id >= 0 && Number.isFinite(logprob) ? { id, logprob, margin: best - second } : undefined;
}

/** What is wanted of one scored token; `undefined` where the row is not finite. */
export function scoreToken(row: Float32Array, { id, text }: ScoredPosition, want: readonly Want[]): ScoredToken | undefined {
  const total = logSumExp(row);
  const logit = row[id] ?? NaN;
  if (!Number.isFinite(total) || !Number.isFinite(logit)) return undefined;
  return {
    id,
    text,
    logprob: logit - total,
    ...(want.includes('entropy') ? { entropy: entropy(row, total) } : {}),
    ...(want.includes('rank') ? { rank: rank(row, logit) } : {}),
    ...(want.includes('distribution') ? { distribution: Float32Array.from(row, (other) => other - total) } : {}),
  };
}

function entropy(row: Float32Array, total: number): number {
  let sum = 0;
  for (const logit of row) if (logit > -Infinity) sum -= Math.exp(logit - total) * (logit - total);
  return sum;
}

function rank(row: Float32Array, logit: number): number {
  let above = 0;
  for (const other of row) if (other > logit) above++;
  return above;
}
