import { describe, expect, it } from 'vitest';

import { whyNoScores } from '../../../src/cli/verdict';
import { undefinedBecause } from '../../../src/credit/score';
import { oasesAlone, scores, trajectory } from './example';

describe('a rollout that gave no scores', () => {
  it('has no gold answer, or no search turns', () => {
    expect(whyNoScores({ ...trajectory, answers: [] }, scores)).toBe('The rollout has no gold answer.');
    expect(whyNoScores({ ...trajectory, turns: [] }, { ...scores, turns: [] })).toBe('The rollout has no search turns.');
  });

  it('is not one with a figure that the arithmetic leaves undefined', () => {
    expect(whyNoScores(trajectory, scores)).toBeUndefined();
    expect(whyNoScores(trajectory, oasesAlone)).toBeUndefined();
  });

  it('has no figure at all', () => {
    const reason = undefinedBecause('the context is longer than the policy’s');
    const none = { ...scores, states: scores.states.map((s) => ({ ...s, answerability: reason })), turns: scores.turns.map((t) => ({ ...t, gain: reason })) };
    expect(whyNoScores(trajectory, none)).toBe('No figure came out: the context is longer than the policy’s.');
  });
});
