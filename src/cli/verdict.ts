import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';

/**
 * Why a rollout counts as one that gave no scores (exit code 1); `undefined`: it gave some. A single figure that is undefined for a reason of the
 * arithmetic is an answer, not a failure.
 */
export function whyNoScores(t: Trajectory, scores: TrajectoryScores): string | undefined {
  if (t.turns.length === 0) return 'The rollout has no search turns.';
  if (t.answers.length === 0) return 'The rollout has no gold answer.';
  const figures = [...scores.states.map((s) => s.answerability), ...scores.turns.map((turn) => turn.gain)];
  if (figures.some((f) => f.kind === 'value')) return undefined;
  const why = figures.find((f) => f.kind === 'undefined');
  return `No figure came out: ${why?.kind === 'undefined' ? why.reason : 'none was asked for'}.`;
}
