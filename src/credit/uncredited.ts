import type { Trajectory } from '../trajectory/model';

/** Why no turn of a rollout can be given credit: there is nothing to score against. `undefined`: there is. */
export function whyUncredited({ answers }: Trajectory): string | undefined {
  if (answers.length === 0) return 'no gold answer';
  return answers.every((answer) => answer.trim() === '') ? 'the gold answer is empty' : undefined;
}
