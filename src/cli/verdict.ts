import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';

/**
 * Why a rollout counts as one that gave no scores (exit code 1); `undefined`: it gave some. A single figure that is undefined for a reason of the
 * arithmetic is an answer, not a failure.
 */
export function whyNoScores(t: Trajectory, scores: TrajectoryScores): string | undefined {
  if (t.turns.length === 0) return 'The rollout has no search turns.';
  if (t.answers.length === 0) return 'The rollout has no gold answer.';
  const { states, fullLogprob } = scores;
  if (states.some((state) => state.answer !== undefined) || fullLogprob.kind === 'value') return undefined;
  const why = [...states.map((state) => state.answerability), fullLogprob].find((score) => score.kind === 'undefined');
  return `The policy answered nothing: ${why?.reason ?? 'nothing was asked of it'}.`;
}
