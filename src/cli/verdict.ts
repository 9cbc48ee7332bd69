import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';

/**
 * Why a rollout counts as one that gave no scores (exit code 1); `undefined`: it gave some. A single figure that is undefined for a reason of the
 * arithmetic is an answer, not a failure.
 */
export function whyNoScores(t: Trajectory, scores: TrajectoryScores): string | undefined {
  if (t.turns.length === 0) return 'The rollout has no search turns; "turns" holds them, each with "search" and "result" (in a verl dump, "output" with its search tags).';
  if (t.answers.length === 0) return 'The rollout has no gold answer; add "answers" (in a verl dump, "gts").';
  if (t.answers.every((answer) => answer.trim() === '')) return 'The gold answers of the rollout are all empty; correct "answers" (in a verl dump, "gts").';
  const { states, fullLogprob } = scores;
  if (states.some((state) => state.answer !== undefined) || fullLogprob.kind === 'value') return undefined;
  const why = [...states.map((state) => state.answerability), fullLogprob].find((score) => score.kind === 'undefined');
  return `The policy answered nothing: ${why?.reason ?? 'nothing was asked of it'}.`;
}
