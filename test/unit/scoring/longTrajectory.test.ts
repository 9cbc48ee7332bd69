import { describe, expect, it, vi } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import type { ReplayRequest, ReplayResult, UndefinedResult } from '../../../src/replay/requests';
import { createScorer } from '../../../src/scoring/createScorer';
import { isLong } from '../../../src/scoring/longRollout';
import type { ScoreOptions, Scorer } from '../../../src/scoring/scorer';
import { memoryStore } from '../../../src/scoring/store';
import { Digests } from '../../../src/scoring/textDigest';
import { FakePolicy, textOfContext } from '../../support/fakePolicy';
import { makeTrajectory } from '../../support/makeTrajectory';

const alone: ScoreOptions = { settings: defaultSettings, scope: 'trajectory' };
const limit = 20_000;

/** A policy whose tokens are characters; of what is too long it says what the real one says. */
function shortPolicy(): FakePolicy {
  return new FakePolicy({ result: (request) => tooLong(request) });
}

function tooLong(request: ReplayRequest): ReplayResult | undefined {
  const lengths = request.context.map((piece) => textOfContext([piece]).length);
  const length = lengths.reduce((sum, n) => sum + n, 0);
  if (length <= limit) return undefined;
  const largest = lengths.reduce((most, n, i) => Math.max(most, n + (lengths[i + 1] ?? 0)), 0);
  const why: UndefinedResult = { kind: 'undefined', code: 'too-long', reason: `${String(length)} do not fit.`, limit, ...(length - largest > limit ? { evenWithoutTwo: true } : {}) };
  if (request.kind === 'answer' || !request.written) return why;
  let at = 0;
  const ends = lengths.map((n) => (at += n));
  return { ...why, written: request.written.map((piece) => ((ends[piece] ?? 0) <= limit ? { kind: 'value', logprobs: [-1], entropies: [0.5], ranks: [0] } : { kind: 'undefined', reason: 'beyond' })) };
}

function scorerOf(policy: FakePolicy): Scorer {
  const { hash, contract, device, dtype, activations, name } = policy.info;
  return createScorer({ policy, identity: () => Promise.resolve({ hash, contract, device, dtype, activations, name }), store: memoryStore(), version: '0.1.0' });
}

const rollout = (turns: number): ReturnType<typeof makeTrajectory> =>
  makeTrajectory({ turns: Array.from({ length: turns }, (_, i) => ({ think: `step ${String(i)}`, search: `query ${String(i)}`, result: `The answer of ${String(i)} is number ${String(i)}.`.padEnd(100) })), answer: 'x', answers: ['number 3'] });

describe('a rollout of tens of thousands of turns', () => {
  it('is scored as far as it fits: what is asked does not grow with the square of its turns', async () => {
    const t = rollout(20_000);
    const policy = shortPolicy();
    const scorer = scorerOf(policy);
    const done: [number, number][] = [];
    const [scores] = await scorer.score([t], alone, { requests: (n, of) => done.push([n, of]), turns: () => undefined });
    if (scores === undefined) throw new Error('scores expected');
    const asked = policy.requests.reduce((sum, { context }) => sum + textOfContext(context).length, 0);
    expect([isLong(t), asked < 8 * t.text.length, policy.requests.length < 500]).toEqual([true, true, true]);
    const fits = scores.states.filter(({ answer }) => answer !== undefined).length;
    expect([scores.states.length, fits > 80 && fits < 130]).toEqual([20_001, true]);
    const why = { kind: 'undefined', reason: "too long for the policy's 20,000 tokens of context" };
    expect([scores.states.at(-1)?.answerability, scores.turns.at(-1)?.processReward, scores.turns[0]?.gain, scores.fullLogprob]).toEqual([why, why, why, why]);
    expect([scores.turns[0]?.written?.kind, scores.turns.at(-1)?.written?.kind]).toEqual(['value', 'undefined']);
    expect(scores.findings.filter(({ code }) => code === 'too-long').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The rollout is longer than the policy's 20,000 tokens of context: undefined are answers after turn \d+ and later, every gain, log π of turn \d+ and later\./),
    ]);
    expect(done.at(-1)).toEqual([40_002, 40_002]);
    const again = scorer.fromCache([t], alone)[0];
    expect([again?.states.length, again?.turns[5]]).toEqual([20_001, scores.turns[5]]);
    // Looked for once more, nothing is hashed.
    const hashed = vi.spyOn(Digests.prototype, 'text');
    expect(scorer.fromCache([t], { ...alone, settings: { ...defaultSettings, methods: ['oases'] } })[0]?.states.length).toBe(20_001);
    expect(hashed.mock.calls.length).toBeGreaterThan(0);
    hashed.mockClear();
    expect(scorer.fromCache([t], { ...alone, settings: { ...defaultSettings, methods: ['oases'] } })[0]?.states.length).toBe(20_001);
    expect(hashed).not.toHaveBeenCalled();
    hashed.mockRestore();
    const asksBefore = policy.requests.length;
    await scorer.score([t], alone, { requests: () => undefined, turns: () => undefined });
    expect(policy.requests.length).toBe(asksBefore);
    // After an edit what stands before it is known still.
    const edited = { ...t, text: `${t.text.slice(0, 4_000)}!${t.text.slice(4_001)}` };
    expect(scorer.fromCache([edited], alone)[0]).toBeUndefined();
    const partial = scorer.fromCache([edited], { ...alone, partial: true })[0];
    expect([partial?.states[5], partial?.states.at(-1)?.answerability]).toEqual([scores.states[5], { kind: 'not scored' }]);
    // What came to be there since is found.
    await scorer.score([edited], alone, { requests: () => undefined, turns: () => undefined });
    expect(scorer.fromCache([edited], { ...alone, partial: true })[0]?.states.at(-1)?.answerability).toEqual(why);
  }, 120_000);

  it('shows what it was scored with last, where it is scored anew', async () => {
    const t = rollout(1_000);
    const policy = shortPolicy();
    const scorer = scorerOf(policy);
    const silent = { requests: () => undefined, turns: () => undefined };
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') });
    try {
      await scorer.score([t], alone, silent);
      expect(scorer.fromCache([t], alone)[0]?.provenance.scoredAt).toBe('2026-01-01T00:00:00.000Z');
      vi.setSystemTime(new Date('2026-01-02T00:00:00Z'));
      await scorer.score([t], { ...alone, ignoreCache: true }, silent);
      expect([isLong(t), scorer.fromCache([t], alone)[0]?.provenance.scoredAt]).toEqual([true, '2026-01-02T00:00:00.000Z']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('plans it in parts, and ends where nothing fits any more', async () => {
    const policy = shortPolicy();
    policy.plan = (requests) => Promise.resolve({ tokensNaive: requests.filter((request) => tooLong(request) === undefined).length, tokensTree: 0 });
    const plan = await scorerOf(policy).plan([rollout(5_000)], alone);
    expect([plan.requests < 2_000, plan.tokensNaive > 80]).toEqual([true, true]);
    // A method whose first requests fit is counted, however soon another's no longer do.
    const gains: ScoreOptions = { ...alone, settings: { ...defaultSettings, methods: ['lotapo'] } };
    const states: ScoreOptions = { ...alone, settings: { ...defaultSettings, methods: ['oases'] } };
    const [ofGains, ofStates] = [await scorerOf(policy).plan([rollout(5_000)], gains), await scorerOf(policy).plan([rollout(5_000)], states)];
    expect(plan.requests).toBe(ofGains.requests + ofStates.requests);
  }, 60_000);

  it('one giant turn among small ones: the context without it is asked', async () => {
    const t = makeTrajectory({ turns: [{ search: 'a', result: 'one' }, { search: 'b', result: 'x'.repeat(6_000_000) }, { search: 'c', result: 'is z.' }], answer: 'z', answers: ['z'] });
    const [scores] = await scorerOf(shortPolicy()).score([t], alone, { requests: () => undefined, turns: () => undefined });
    expect([isLong(t), scores?.turns.map(({ withoutLogprob }) => withoutLogprob.kind)]).toEqual([true, ['undefined', 'value', 'undefined']]);
  });
});
