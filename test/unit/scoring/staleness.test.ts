import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import { createScorer } from '../../../src/scoring/createScorer';
import { staleness } from '../../../src/scoring/staleness';
import { memoryStore } from '../../../src/scoring/store';
import { FakePolicy } from '../../support/fakePolicy';
import { makeTrajectory, type TurnText, twoTurns } from '../../support/makeTrajectory';

const turns: TurnText[] = [{ search: 'a', result: 'A' }, { search: 'b', result: 'B' }, { search: 'c', result: 'C' }];
const edited = (at: number, change: Partial<TurnText>): TurnText[] => turns.map((turn, i) => (i === at ? { ...turn, ...change } : turn));

async function scored() {
  const policy = new FakePolicy();
  const scorer = createScorer({ policy, identity: () => Promise.resolve(policy.info), store: memoryStore(), version: '0' });
  const t = makeTrajectory({ turns, answer: 'x' });
  const [scores] = await scorer.score([t], { settings: defaultSettings, scope: 'trajectory' }, { requests: () => undefined, turns: () => undefined });
  if (!scores) throw new Error('scores expected');
  return { scores, t, identity: policy.info };
}

describe('staleness', () => {
  it('is none for the same text, whatever the arithmetic', async () => {
    const { scores, t, identity } = await scored();
    expect(staleness(scores, t, defaultSettings, identity).any).toBe(false);
    const settings = { ...defaultSettings, alpha: 1, metric: 'em' as const, lambda: 0, epsilon: 1 };
    expect(staleness(scores, { ...t, final: undefined } as unknown as typeof t, settings, identity).any).toBe(false);
  });

  it('of an edit in turn 2 is γ from 2 on, S, every gain and the group', async () => {
    const { scores, identity } = await scored();
    const now = staleness(scores, makeTrajectory({ turns: edited(1, { search: 'z' }), answer: 'x' }), defaultSettings, identity);
    expect(now).toEqual({
      any: true,
      states: [false, false, true, true],
      rewards: [false, true, true],
      gains: [true, true, true],
      full: true,
      group: true,
    });
  });

  it('of a changed gold is the gains alone', async () => {
    const { scores, t, identity } = await scored();
    const now = staleness(scores, { ...t, answers: ['Someone'] }, defaultSettings, identity);
    expect(now.states).toEqual([false, false, false, false]);
    expect(now.gains).toEqual([true, true, true]);
  });

  it('of a new placeholder leaves S and γ', async () => {
    const { scores, t, identity } = await scored();
    const now = staleness(scores, t, defaultSettings, { ...identity, contract: { ...identity.contract, placeholder: '[GONE]' } });
    expect(now).toMatchObject({ full: false, states: [false, false, false, false], gains: [true, true, true], group: true });
  });

  it('of another policy, device or prompt is everything', async () => {
    const { scores, t, identity } = await scored();
    for (const other of [{ hash: 'sha256:1' }, { device: 'cuda' }]) {
      expect(staleness(scores, t, defaultSettings, { ...identity, ...other })).toMatchObject({ states: Array(4).fill(true) as boolean[], full: true });
    }
  });

  it('covers turns that came or went', async () => {
    const { scores, identity } = await scored();
    expect(staleness(scores, twoTurns(), defaultSettings, identity).any).toBe(true);
    const more = staleness(scores, makeTrajectory({ turns: [...turns, { search: 'd', result: 'D' }], answer: 'x' }), defaultSettings, identity);
    expect(more.states).toEqual([false, false, false, false, true]);
  });
});
