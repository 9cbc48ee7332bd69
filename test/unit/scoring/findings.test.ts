import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import { createScorer } from '../../../src/scoring/createScorer';
import { memoryStore } from '../../../src/scoring/store';
import type { Finding, Trajectory } from '../../../src/trajectory/model';
import { type FakeBehaviour, FakePolicy, textOfContext } from '../../support/fakePolicy';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

async function findings(t: Trajectory, behaviour: FakeBehaviour = {}): Promise<readonly Finding[]> {
  const policy = new FakePolicy(behaviour);
  const scorer = createScorer({ policy, identity: () => Promise.resolve(policy.info), store: memoryStore(), version: '0' });
  const [scores] = await scorer.score([t], { settings: defaultSettings, scope: 'trajectory' }, { requests: () => undefined, turns: () => undefined });
  return scores?.findings ?? [];
}
const codes = (all: readonly Finding[]): unknown => all.map(({ code, turn }) => [code, turn]);

describe('findings of scoring', () => {
  it('are none where all is well', async () => expect(await findings(twoTurns())).toEqual([]));

  it('name the states without an answer', async () => {
    const all = await findings(twoTurns(), { answer: (prompt) => (prompt.includes('Nightfall') ? '<answer>x</answer>' : 'I think') });
    expect(codes(all)).toEqual([['state-without-answer', undefined]]);
    expect(all[0]?.message).toBe('What the policy wrote from the question alone holds no answer, so its answerability is 0. See answerPattern in the policy contract.');
  });

  it('set a recorded reward beside the recomputed outcome', async () => {
    expect(codes(await findings(twoTurns({ recorded: { reward: 1 } })))).toEqual([]);
    const [finding] = await findings(twoTurns({ recorded: { reward: -0.25 } }));
    expect(finding).toMatchObject({ code: 'recorded-reward-differs', severity: 'information', message: 'The file records a reward of −0.2500; token F1 of the final answer is 1.0000.' });
  });

  it('say that a rollout ended without an answer, once', async () => {
    const t = makeTrajectory({ turns: [{ search: 'q', result: 'r' }] });
    expect(codes(await findings(t))).toEqual([['no-answer', undefined]]);
    const known: Finding = { code: 'no-answer', severity: 'warning', message: 'x' };
    expect(await findings({ ...t, findings: [known] })).toEqual([]);
    expect(await findings({ ...t, ending: 'damaged' })).toEqual([]);
  });

  it('of a gold answer that alone is too long name the gains, not what the policy wrote', async () => {
    const tooLong = { kind: 'undefined', code: 'too-long', reason: 'Too long.', limit: 100 } as const;
    const [finding] = await findings(twoTurns(), {
      result: (request) => {
        if (request.kind === 'answer') return undefined;
        const written = request.written?.map(() => ({ kind: 'value' as const, logprobs: [-1], entropies: [1], ranks: [0] }));
        return written ? { ...tooLong, written } : tooLong;
      },
    });
    expect(finding?.message).toBe("The rollout is longer than the policy's 100 tokens of context: undefined are every gain. A policy with a longer context would tell.");
  });

  it('place an encoding note at the turn whose text it is about, once', async () => {
    const t = twoTurns();
    const all = await findings(t, {
      notes: (request) => {
        const piece = request.context.findIndex((p) => textOfContext([p]).includes('Nightfall’s'));
        return piece < 0 ? [] : [{ code: 'special-token-in-text', piece, message: 'A special token stands in the text.' }];
      },
    });
    expect(codes(all)).toEqual([['special-token-in-text', 2]]);
  });

  it('place a note on the prompt at the trajectory', async () => {
    const all = await findings(twoTurns({ prompt: { kind: 'stripped', text: 'user\nx' } }), {
      notes: (r) => (r.kind === 'likelihood' ? [{ code: 'prompt-rebuilt', piece: 0, message: 'Rebuilt.' }] : []),
    });
    expect(all).toEqual([{ code: 'prompt-rebuilt', severity: 'information', message: 'Rebuilt.' }]);
  });
});
