import { describe, expect, it } from 'vitest';
import { normaliseGroup } from '../../src/credit/lotapoGroup';
import { grade } from '../../src/credit/metrics';
import { type Score, value } from '../../src/credit/score';
import demo from './demo-policy.json';

/** The arithmetic after the gains, on the gains of the reference run (torch, float32) of the demo policy. */

const stated = (score: Score | undefined): number => (score === undefined || score.kind === 'not scored' ? NaN : (score.value ?? NaN));
const near = (actual: Score | undefined, expected: number): void => {
  expect(Math.abs(stated(actual) - expected)).toBeLessThan(1e-6);
};
const settings = { lambda: 0.5, epsilon: 1e-6 };
const asMember = (record: { outcome: number; turns: readonly { gain: number }[] }): Parameters<typeof normaliseGroup>[0][number] => ({
  outcome: value(record.outcome),
  turns: record.turns.map(({ gain }) => ({ gain: value(gain), eligible: true })),
});

describe.each(Object.entries(demo.samples))('%s', (_, sample) => {
  it('is normalised over itself', () => {
    const group = normaliseGroup([asMember(sample)], settings);
    near(group.scale, sample.scale);
    sample.turns.forEach((turn, i) => {
      const ours = group.members[0]?.turns[i];
      near(ours?.scaledGain, turn.scaledGain);
      near(ours?.advantage, turn.advantage);
      near(ours?.gatedAdvantage, turn.gatedAdvantage);
    });
  });
});

describe.each([...new Set(demo.rollouts.map((rollout) => rollout.group))])('question %i', (question) => {
  it('is normalised over its rollouts', () => {
    const rollouts = demo.rollouts.filter((rollout) => rollout.group === question);
    const group = normaliseGroup(rollouts.map(asMember), settings);
    rollouts.forEach((rollout, m) => {
      near(group.scale, rollout.scale);
      near(group.members[m]?.outcomeAdvantage, rollout.outcomeAdvantage);
      rollout.turns.forEach((turn, i) => {
        const ours = group.members[m]?.turns[i];
        near(ours?.scaledGain, turn.scaledGain);
        near(ours?.advantage, turn.advantage);
        near(ours?.gatedAdvantage, turn.gatedAdvantage);
        near(ours?.turnAdvantage, turn.turnAdvantage);
      });
    });
  });
});

describe('answerability of half an answer', () => {
  it('is its F1', () => {
    expect(grade('f1', 'Delia Zanetti', ['Delia Zanetti and Selma Abbott']).score).toEqual(value(demo.samples['two-answers.traj'].states[1]?.answerability ?? NaN));
  });
});
