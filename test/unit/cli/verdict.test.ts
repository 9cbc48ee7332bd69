import { describe, expect, it } from 'vitest';

import { whyNoScores } from '../../../src/cli/verdict';
import { undefinedBecause } from '../../../src/credit/score';
import { oasesAlone, scores, trajectory } from './example';

describe('a rollout that gave no scores', () => {
  it('has no gold answer, or no search turns', () => {
    expect(whyNoScores({ ...trajectory, answers: [] }, scores)).toBe('The rollout has no gold answer; add "answers" (in a verl dump, "gts").');
    expect(whyNoScores({ ...trajectory, answers: ['', ' \n'] }, scores)).toBe('The gold answers of the rollout are all empty; correct "answers" (in a verl dump, "gts").');
    expect(whyNoScores({ ...trajectory, turns: [] }, { ...scores, turns: [] })).toMatch(/^The rollout has no search turns; "turns" holds them, .*\.$/);
  });

  it('is not one with a figure that the arithmetic leaves undefined', () => {
    expect(whyNoScores(trajectory, scores)).toBeUndefined();
    expect(whyNoScores(trajectory, oasesAlone)).toBeUndefined();
    expect(whyNoScores({ ...trajectory, answers: ['', 'Ann'] }, scores)).toBeUndefined();
  });

  it('has nothing that the policy could answer', () => {
    const reason = undefinedBecause('the context is longer than the policy’s');
    const none = { ...scores, states: scores.states.map(({ index, exactMatch, margin }) => ({ index, exactMatch, margin, answerability: reason })), fullLogprob: reason };
    expect(whyNoScores(trajectory, none)).toBe('The policy answered nothing: the context is longer than the policy’s.');
    expect(whyNoScores(trajectory, { ...none, fullLogprob: scores.fullLogprob })).toBeUndefined();
  });
});
