import type { ReplayResult, WrittenPiece } from '../replay/requests';
import type { Trajectory, Turn } from '../trajectory/model';
import { writtenPieces } from './contexts';
import { asReason } from './method';
import { notScored, type NotScored, type Undefined, undefinedBecause } from './score';

/**
 * What the policy itself thought of the words of a turn: was this rolled out by this policy? Read off the run of the whole context,
 * so the final turn, which is not in it, has none.
 */
export type WrittenScore = WrittenFigures | Undefined | NotScored;

export interface WrittenFigures {
  readonly kind: 'value';
  /** Tokens the policy wrote in the turn. */
  readonly tokens: number;
  /** Of their log-probabilities, nats. */
  readonly mean: number;
  readonly min: number;
  /** Mean entropy of the distributions they were drawn from, nats. */
  readonly entropy: number;
  /** Share of tokens that are the policy's own first choice. */
  readonly firstChoices: number;
  /** Beside what the rollout recorded. Absent: the file records no log-probabilities. */
  readonly recorded?: Undefined | { readonly kind: 'value'; /** Nats. */ readonly mean: number; /** exp of the mean of log π − log π_recorded. */ readonly ratio: number };
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** One for each turn. `full`: the answer for the whole context, or for as much of it as fits. */
export function assignWritten(t: Trajectory, full: ReplayResult | undefined): readonly WrittenScore[] {
  if (full?.kind === 'undefined' && full.written === undefined) {
    const why = undefinedBecause(asReason(full));
    return t.turns.map(() => why);
  }
  if (full?.kind !== 'likelihood' && full?.kind !== 'undefined') return t.turns.map(() => notScored);
  const pieces = writtenPieces(t);
  return t.turns.map((turn, i): WrittenScore => {
    const piece = full.written?.[i];
    if (!piece) return notScored;
    if (piece.kind === 'undefined') return undefinedBecause(piece.reason);
    // Of a context that is too long it is not told whether the recorded ids stood.
    const encoded = full.kind === 'undefined' || full.notes.some(({ code, piece }) => code === 'recorded-ids-differ' && piece === pieces[i]);
    const recorded = besideRecorded(turn, piece, encoded);
    return {
      kind: 'value',
      tokens: piece.logprobs.length,
      mean: mean(piece.logprobs),
      min: piece.logprobs.reduce((least, x) => Math.min(least, x), Infinity),
      entropy: mean(piece.entropies),
      firstChoices: piece.ranks.filter((rank) => rank === 0).length / piece.ranks.length,
      ...(recorded ? { recorded } : {}),
    };
  });
}

/** A recorded figure belongs to a recorded token: without the very same ids there is nothing to compare. */
function besideRecorded(turn: Turn, { logprobs }: Extract<WrittenPiece, { kind: 'value' }>, encodedAnew: boolean): WrittenFigures['recorded'] {
  const { logprobs: recorded, policy: ids } = turn.ids ?? {};
  if (!recorded) return undefined;
  if (!ids) return undefinedBecause('the file records log-probabilities without the token ids they belong to');
  if (encodedAnew) return undefinedBecause("the recorded token ids are not this policy's");
  if (recorded.length !== logprobs.length) return undefinedBecause(`the file records ${recorded.length} log-probabilities for ${logprobs.length} tokens`);
  const ratio = Math.exp(mean(logprobs.map((x, i) => x - (recorded[i] ?? NaN))));
  return { kind: 'value', mean: mean(recorded), ratio };
}
