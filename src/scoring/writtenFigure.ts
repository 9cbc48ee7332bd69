import type { Score } from '../credit/score';
import type { TurnScore } from './model';

/** A figure of what was written, for a table. */
export function writtenFigure({ written }: TurnScore, pick: 'mean' | 'entropy' | 'firstChoices'): Score {
  if (written === undefined) return { kind: 'not scored' };
  return written.kind === 'undefined' ? written : { kind: 'value', value: written[pick] };
}
