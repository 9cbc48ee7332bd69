import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import { createScorer } from '../../../src/scoring/createScorer';
import type { ReplayPlan } from '../../../src/scoring/replayPlan';
import type { ScoreOptions, Scorer } from '../../../src/scoring/scorer';
import { memoryStore } from '../../../src/scoring/store';
import type { Trajectory } from '../../../src/trajectory/model';
import { FakePolicy } from '../../support/fakePolicy';
import { makeTrajectory } from '../../support/makeTrajectory';

const question: ScoreOptions = { settings: defaultSettings, scope: 'question', plan: true };

function scorerOf(policy: FakePolicy): Scorer {
  const { hash, contract, device, dtype, activations, name } = policy.info;
  return createScorer({ policy, identity: () => Promise.resolve({ hash, contract, device, dtype, activations, name }), store: memoryStore(), version: '0.1.0' });
}

async function planned(scorer: Scorer, trajectories: readonly Trajectory[], options = question): Promise<ReplayPlan | undefined> {
  let plan: ReplayPlan | undefined;
  await scorer.score(trajectories, options, { requests: () => undefined, turns: () => undefined, planned: (made) => (plan = made) });
  return plan;
}

const turnsOf = (count: number, last: string): Trajectory =>
  makeTrajectory({ turns: Array.from({ length: count }, (_, i) => ({ search: `query ${i}`, result: i === count - 1 ? last : `document ${i}` })), answer: 'x', group: 'q' });

describe('the plan', () => {
  it('is one tree over all rollouts of a question, however many', async () => {
    const policy = new FakePolicy();
    const rollouts = Array.from({ length: 40 }, (_, i) => turnsOf(2, `result ${i}`));
    const plan = await planned(scorerOf(policy), rollouts);
    expect(policy.asked).toHaveLength(1);
    expect(plan).toMatchObject({ requests: 40 * 6, cached: 0, tokensNaive: 40 * 6 });
    // The first two states and the context without the last turn are those of all.
    expect(plan?.tokensTree).toBe(40 * 3 + 3);
  });

  it('is not told where it was not asked for', async () => {
    expect(await planned(scorerOf(new FakePolicy()), [turnsOf(2, 'a')], { ...question, plan: false })).toBeUndefined();
  });

  it('runs nothing dry, and says what was answered before', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    expect(await scorer.plan([turnsOf(2, 'a')], question)).toEqual({ tokensNaive: 6, tokensTree: 6, tokensRun: 0, runs: 0, requests: 6, cached: 0 });
    expect(policy.asked).toHaveLength(0);
    await planned(scorer, [turnsOf(2, 'a')]);
    expect(await scorer.plan([turnsOf(2, 'a')], question)).toMatchObject({ requests: 6, cached: 6 });
  });
});

describe('scoring again', () => {
  it('runs nothing where nothing has changed', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    await planned(scorer, [turnsOf(8, 'a')]);
    expect(await planned(scorer, [turnsOf(8, 'a')])).toMatchObject({ tokensRun: 0, runs: 0, requests: 18, cached: 18 });
    expect(policy.asked).toHaveLength(1);
  });

  it('after an edit of the last of eight turns runs the requests that contain it', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    await planned(scorer, [turnsOf(8, 'a')]);
    // Its state, the whole context, and the contexts without one of the other seven.
    expect(await planned(scorer, [turnsOf(8, 'b')])).toMatchObject({ requests: 18, cached: 18 - 9 });
    expect(policy.asked[1]).toHaveLength(9);
  });
});
