import type { Score } from '../credit/score';
import type { StateScore, TrajectoryScores, TurnScore } from '../scoring/model';

/**
 * What is shown of a text that has changed: of each figure what still holds (`now`, from the cache), else what it was.
 * Spikes stay as they were, so that no lens moves before the next re-score.
 */
export function mergeScores(before: TrajectoryScores, now: TrajectoryScores | undefined): TrajectoryScores {
  if (!now || now.turns.length !== before.turns.length || now.states.length !== before.states.length) return before;
  return {
    ...before,
    outcome: now.outcome,
    checks: { rewardSum: either(now.checks.rewardSum, before.checks.rewardSum), telescoped: either(now.checks.telescoped, before.checks.telescoped) },
    fullLogprob: either(now.fullLogprob, before.fullLogprob),
    states: before.states.map((was, i) => mergeState(was, now.states[i])),
    turns: before.turns.map((was, i) => mergeTurn(was, now.turns[i])),
  };
}

const either = (now: Score, was: Score): Score => (now.kind === 'not scored' ? was : now);

const mergeState = (was: StateScore, now: StateScore | undefined): StateScore => (!now || now.answerability.kind === 'not scored' ? was : now);

function mergeTurn(was: TurnScore, now: TurnScore | undefined): TurnScore {
  if (!now) return was;
  return { ...was, processReward: either(now.processReward, was.processReward), gain: either(now.gain, was.gain), withoutLogprob: either(now.withoutLogprob, was.withoutLogprob) };
}
