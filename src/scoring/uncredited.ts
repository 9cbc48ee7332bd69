import type { Score } from '../credit/score';
import type { Trajectory } from '../trajectory/model';
import type { TurnScore } from './model';

/** Why no turn of a rollout can be given credit: there is nothing to score against. `undefined`: there is. */
export function whyUncredited({ answers }: Trajectory): string | undefined {
  if (answers.length === 0) return 'no gold answer';
  return answers.every((answer) => answer.trim() === '') ? 'the gold answer is empty' : undefined;
}

/** A figure of what was written, for a table. */
export function writtenFigure({ written }: TurnScore, pick: 'mean' | 'entropy' | 'firstChoices'): Score {
  if (written === undefined) return { kind: 'not scored' };
  return written.kind === 'undefined' ? written : { kind: 'value', value: written[pick] };
}
