import { describe, expect, it, vi } from 'vitest';
import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import { defaultSettings } from '../../../src/credit/settings';
import type { PolicyError } from '../../../src/replay/policy';
import { createScorer } from '../../../src/scoring/createScorer';
import type { TrajectoryScores } from '../../../src/scoring/model';
import type { ForecastIdentity, ScoreOptions, ScoreProgress, Scorer } from '../../../src/scoring/scorer';
import { memoryStore } from '../../../src/scoring/store';
import type { Trajectory } from '../../../src/trajectory/model';
import { FakePolicy } from '../../support/fakePolicy';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

const alone: ScoreOptions = { settings: defaultSettings, scope: 'trajectory' };
const question: ScoreOptions = { settings: defaultSettings, scope: 'question' };
const silent: ScoreProgress = { requests: () => undefined, turns: () => undefined };

function scorerOf(policy: FakePolicy, forecast: Partial<ForecastIdentity> = {}): Scorer {
  const { hash, contract, device, dtype, activations, name } = policy.info;
  return createScorer({ policy, identity: () => Promise.resolve({ hash, contract, device, dtype, activations, name, ...forecast }), store: memoryStore(), version: '0.1.0' });
}

async function scoreOne(scorer: Scorer, t: Trajectory, options = alone): Promise<TrajectoryScores> {
  const [scores] = await scorer.score([t], options, silent);
  if (!scores) throw new Error('scores expected');
  return scores;
}

describe('scores', () => {
  it('hold every figure of a trajectory, with where it came from', async () => {
    const scores = await scoreOne(scorerOf(new FakePolicy()), twoTurns());
    expect(scores.states.map(({ answer }) => answer)).toEqual(['unknown', 'Nightfall', 'Ada Quill']);
    expect(scores.states.map(({ answerability }) => answerability)).toEqual([value(0), value(0), value(1)]);
    expect(scores.turns.map(({ processReward }) => processReward)).toEqual([value(0), value(0.5)]);
    expect(scores.turns.map(({ gain }) => gain)).toEqual([value(0), value(4.9)]);
    expect(scores.turns.map(({ spike }) => spike)).toEqual([undefined, 'up']);
    expect(scores.outcome).toEqual(value(1));
    expect(scores.outcomeAdvantage).toEqual(undefinedBecause('a group of one', 0));
    expect(scores.gold).toBe('Ada Quill');
    expect(scores.group).toEqual({ scope: 'trajectory', id: null, rollouts: 1, turns: 2 });
    expect(scores.checks.rewardSum).toEqual(scores.checks.telescoped);
    expect(scores.provenance).toMatchObject({ policyName: 'fake', device: 'cpu', metric: 'f1', alpha: 0.5, runtime: 'none', turnlens: '0.1.0' });
    expect(scores).not.toHaveProperty('tokens');
  });

  it('hold the gold’s tokens where they are asked for', async () => {
    const { tokens } = await scoreOne(scorerOf(new FakePolicy()), twoTurns(), { ...alone, tokens: true });
    expect(tokens?.full[0]?.logprob).toBe(-0.1);
    expect(Object.keys(tokens?.without ?? {})).toEqual(['1', '2']);
  });

  it('are not there for a method that was not asked for', async () => {
    const policy = new FakePolicy();
    const scores = await scoreOne(scorerOf(policy), twoTurns(), { ...alone, settings: { ...defaultSettings, methods: ['oases'] } });
    expect(policy.requests.every(({ kind }) => kind === 'answer')).toBe(true);
    expect([scores.fullLogprob, scores.scale, scores.outcomeAdvantage, scores.turns[0]?.gain, scores.turns[0]?.turnAdvantage]).toEqual(Array(5).fill(notScored));
    expect(scores.turns[0]?.gate).toBe('not scored');
  });

  it('stand without a gold as far as they can', async () => {
    const scores = await scoreOne(scorerOf(new FakePolicy()), twoTurns({ answers: [] }));
    expect(scores.states[2]?.answer).toBe('Ada Quill');
    expect(scores.outcome).toEqual(undefinedBecause('no gold answer'));
    expect(scores.turns[0]?.gain).toEqual(undefinedBecause('no gold answer'));
  });
});

describe('a group', () => {
  const rollouts = (): Trajectory[] => [twoTurns({ group: 'q' }), twoTurns({ group: 'q', answer: 'Nobody' }), twoTurns({ group: 'other' }), twoTurns()];

  it('is all rollouts of the call that share a question', async () => {
    const scores = await scorerOf(new FakePolicy()).score(rollouts(), question, silent);
    expect(scores.map(({ group }) => group)).toEqual([
      { scope: 'question', id: 'q', rollouts: 2, turns: 4 },
      { scope: 'question', id: 'q', rollouts: 2, turns: 4 },
      { scope: 'question', id: 'other', rollouts: 1, turns: 2 },
      { scope: 'question', id: null, rollouts: 1, turns: 2 },
    ]);
    expect(scores[0]?.outcomeAdvantage.kind).toBe('value');
    expect(scores[2]?.outcomeAdvantage).toEqual(undefinedBecause('a group of one', 0));
  });

  it('comes after each trajectory alone', async () => {
    const seen: [number, string][] = [];
    await scorerOf(new FakePolicy()).score(rollouts(), question, { ...silent, trajectory: (index, { group }) => seen.push([index, group.scope]) });
    expect(seen).toEqual([0, 1, 2, 3].map((index) => [index, 'trajectory']));
  });

  it('comes as soon as its last rollout is complete, with the figures of the end', async () => {
    const seen: [readonly number[], readonly TrajectoryScores[]][] = [];
    const [first, second, other, nameless] = rollouts();
    const mixed = [first, other, nameless, second].flatMap((t) => t ?? []);
    const cancel = new AbortController();
    const on: ScoreProgress = {
      ...silent,
      question: (indices, scores) => {
        seen.push([indices, scores]);
        if (indices.includes(1)) cancel.abort();
      },
    };
    const scorer = scorerOf(new FakePolicy());
    await expect(scorer.score(mixed, { ...question, signal: cancel.signal }, on)).rejects.toMatchObject({ code: 'cancelled' });
    const whole = await scorer.score(mixed, question, silent);
    expect(seen.map(([indices]) => indices)).toEqual([[0, 3], [1]]);
    expect(seen.map(([, scores]) => scores)).toEqual([[whole[0], whole[3]], [whole[1]]]);
    expect(seen[0]?.[1][0]?.group.rollouts).toBe(2);
    seen.length = 0;
    await scorer.score(mixed, alone, on);
    expect(seen).toEqual([]);
  });
});

describe('requests', () => {
  it('are asked once, over all trajectories of a call', async () => {
    const policy = new FakePolicy();
    await scorerOf(policy).score([twoTurns(), twoTurns({ answer: 'x' })], alone, silent);
    expect(policy.asked).toHaveLength(1);
    expect(policy.requests).toHaveLength(6);
  });

  it('that are equal within a trajectory are asked once', async () => {
    const policy = new FakePolicy();
    await scorerOf(policy).score([twoTurns({ answers: ['a', 'a'] })], { ...alone, settings: { ...defaultSettings, gold: 'mean' } }, silent);
    expect(policy.requests).toHaveLength(6);
  });

  it('go out one run for each trajectory', async () => {
    const policy = new FakePolicy();
    await scorerOf(policy).score([twoTurns(), twoTurns({ question: 'Who else?' })], alone, silent);
    expect(policy.asked.map((run) => run.length)).toEqual([6, 6]);
  });

  it('of one question’s rollouts go out together, and each is told of as it is complete', async () => {
    const policy = new FakePolicy();
    const told: number[] = [];
    const rollouts = [twoTurns({ group: 'q' }), twoTurns({ question: 'Another?' }), twoTurns({ group: 'q', turns: [{ search: 'x', result: 'y' }] })];
    const scores = await scorerOf(policy).score(rollouts, question, { ...silent, trajectory: (index) => told.push(index) });
    expect(policy.asked.map((run) => run.length)).toEqual([9, 6]);
    expect(told).toEqual([0, 2, 1]);
    expect(scores.map(({ turns }) => turns.length)).toEqual([2, 2, 1]);
  });

  it('are answered from the store, without loading the policy', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    const first = await scoreOne(scorer, twoTurns());
    expect(policy.described).toBe(1);
    expect(await scoreOne(scorer, twoTurns())).toEqual(first);
    expect([policy.described, policy.asked.length]).toEqual([1, 1]);
  });

  it('are all asked again where the cache is to be ignored, equal ones once', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    await scoreOne(scorer, twoTurns());
    await scorer.score([twoTurns(), twoTurns()], { ...alone, ignoreCache: true }, silent);
    expect(policy.asked.map((run) => run.length)).toEqual([6, 6]);
  });

  it('change only where an edit reaches', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    await scoreOne(scorer, twoTurns());
    const [first, second] = [{ search: 'the book', result: 'Doc 1(Title: "The Book") The Book’s series is Nightfall.' }, { search: 'other', result: 'r' }];
    await scoreOne(scorer, makeTrajectory({ turns: [first, second], answer: 'Ada Quill' }));
    const again = policy.asked[1] ?? [];
    expect(again.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
    expect(again.filter(({ kind }) => kind === 'likelihood')).toHaveLength(2);
  });
});

describe('progress', () => {
  it('counts requests and turns to their totals', async () => {
    const requests = vi.fn();
    const turns = vi.fn();
    const t = makeTrajectory({ turns: [{ search: 'q' }, { search: 'p', result: 'r' }], answer: 'x' });
    const scorer = scorerOf(new FakePolicy());
    await scorer.score([t, twoTurns()], alone, { requests, turns });
    expect(requests).toHaveBeenLastCalledWith(11, 11);
    expect(turns.mock.calls).toEqual([[1, 4], [2, 4], [3, 4], [4, 4]]);
    turns.mockClear();
    await scorer.score([t, twoTurns()], alone, { requests, turns });
    expect(turns).toHaveBeenLastCalledWith(4, 4);
  });
});

describe('what goes wrong', () => {
  it('keeps what was finished before a crash', async () => {
    const policy = new FakePolicy({ dieAfter: 4 });
    const scorer = scorerOf(policy);
    await expect(scoreOne(scorer, twoTurns())).rejects.toMatchObject({ code: 'crashed' } satisfies Partial<PolicyError>);
    policy.behaviour = {};
    await scoreOne(scorer, twoTurns());
    expect(policy.asked[1]).toHaveLength(2);
  });

  it('keeps what was finished before a cancel', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    const abort = new AbortController();
    const progress: ScoreProgress = { ...silent, requests: (done) => done === 3 && abort.abort() };
    await expect(scorer.score([twoTurns()], { ...alone, signal: abort.signal }, progress)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(scorer.score([twoTurns()], { ...alone, signal: abort.signal }, silent)).rejects.toMatchObject({ code: 'cancelled' });
    await scoreOne(scorer, twoTurns());
    expect(policy.asked.at(-1)).toHaveLength(3);
  });

  it('is a bug where the policy leaves a request unanswered', async () => {
    const policy = new FakePolicy();
    policy.run = () => Promise.resolve({ tokensNaive: 0, tokensTree: 0, tokensRun: 0, tokensDecoded: 0, runs: 0 });
    await expect(scoreOne(scorerOf(policy), twoTurns())).rejects.toThrow('6 of 6 requests unanswered');
  });

  it('stays with the request: a context that is too long leaves the others', async () => {
    const policy = new FakePolicy({
      result: (r) => (r.kind === 'answer' && JSON.stringify(r.context).includes('Nightfall’s') ? { kind: 'undefined', code: 'too-long', reason: 'Too long.' } : undefined),
    });
    const scorer = scorerOf(policy);
    const scores = await scoreOne(scorer, twoTurns());
    expect(scores.states.map(({ answerability }) => answerability.kind)).toEqual(['value', 'value', 'undefined']);
    expect(scores.turns[1]?.processReward).toEqual(undefinedBecause('Too long'));
    expect(scores.turns[1]?.gain).toEqual(value(4.9));
    expect(scorer.fromCache([twoTurns()], alone)).toEqual([scores]);
  });
});

describe('from the cache alone', () => {
  it('nothing is known before an identity is', async () => {
    const scorer = scorerOf(new FakePolicy());
    expect(scorer.fromCache([twoTurns()], alone)).toEqual([undefined]);
    await scorer.identity();
    expect(scorer.fromCache([twoTurns()], alone)).toEqual([undefined]);
  });

  it('arithmetic settings are recomputed', async () => {
    const policy = new FakePolicy();
    const scorer = scorerOf(policy);
    await scoreOne(scorer, twoTurns());
    const settings = { ...defaultSettings, alpha: 1, metric: 'em' as const, epsilon: 0.1, lambda: 2, spike: { answerability: 2, advantage: 9, gain: 9 } };
    const [scores] = scorer.fromCache([twoTurns()], { settings, scope: 'trajectory' });
    expect(scores?.turns[1]?.processReward).toEqual(value(1));
    expect(scores?.turns[1]?.spike).toBeUndefined();
    expect(scores?.scale).toEqual(value(5));
    expect(scores?.provenance).toMatchObject({ alpha: 1, metric: 'em', epsilon: 0.1, lambda: 2 });
    expect(policy.asked).toHaveLength(1);
  });

  it('gives the group without the trajectory that was edited', async () => {
    const scorer = scorerOf(new FakePolicy());
    const rollouts = [twoTurns({ group: 'q' }), twoTurns({ group: 'q' })];
    await scorer.score(rollouts, question, silent);
    const [edited, other] = scorer.fromCache([twoTurns({ group: 'q', answers: ['Nightfall'] }), ...rollouts.slice(1)], question);
    expect(edited).toBeUndefined();
    expect(other?.group.rollouts).toBe(1);
  });

  it('an edit leaves the answerability of the states before it', async () => {
    const scorer = scorerOf(new FakePolicy());
    await scoreOne(scorer, twoTurns());
    const edited = makeTrajectory({ turns: [{ search: 'the book', result: 'Doc 1(Title: "The Book") The Book’s series is Nightfall.' }, { search: 'z', result: 'z' }], answer: 'x' });
    const [scores] = scorer.fromCache([edited], { ...alone, partial: true });
    expect(scores?.states.map(({ answerability }) => answerability)).toEqual([value(0), value(0), notScored]);
    expect(scores?.turns.map(({ processReward }) => processReward)).toEqual([value(0), notScored]);
    expect(scores?.turns.map(({ gain, gatedAdvantage }) => [gain, gatedAdvantage])).toEqual(Array(2).fill([notScored, notScored]));
    expect(scorer.fromCache([edited], alone)).toEqual([undefined]);
  });

  it('another placeholder leaves S and every γ', async () => {
    const policy = new FakePolicy();
    const store = memoryStore();
    const { contract } = policy.info;
    const open = (placeholder: string): Scorer =>
      createScorer({ policy, identity: () => Promise.resolve({ ...policy.info, contract: { ...contract, placeholder } }), store, version: '0' });
    await scoreOne(open(contract.placeholder), twoTurns());
    const other = open('[GONE]');
    await other.identity();
    const [scores] = other.fromCache([twoTurns()], { ...alone, partial: true });
    expect([scores?.fullLogprob, scores?.states[2]?.answerability, scores?.turns[0]?.gain]).toEqual([value(-0.1), value(1), notScored]);
  });

  it('gives a changed gold its answerability, and leaves the gains not scored', async () => {
    const scorer = scorerOf(new FakePolicy());
    await scoreOne(scorer, twoTurns());
    const [scores] = scorer.fromCache([twoTurns({ answers: ['Nightfall'] })], { ...alone, partial: true });
    expect(scores?.states.map(({ answerability }) => answerability)).toEqual([value(0), value(1), value(0)]);
    expect(scores?.turns[0]?.gain).toEqual(notScored);
    expect(scores?.fullLogprob).toEqual(notScored);
  });
});

describe('identity', () => {
  it('comes from the loaded policy where the folder does not tell it', async () => {
    const policy = new FakePolicy();
    const { contract, device, dtype, activations } = policy.info;
    const scorer = createScorer({ policy, identity: () => Promise.resolve({ contract, device, dtype, activations }), store: memoryStore(), version: '0' });
    expect(await scorer.identity()).toBeUndefined();
    const scores = await scoreOne(scorer, twoTurns());
    expect(scores.provenance.policy).toBe(policy.info.hash);
    expect(scorer.fromCache([twoTurns()], alone)).toEqual([scores]);
  });

  it('of the loaded policy holds where the forecast was another', async () => {
    const policy = new FakePolicy({ info: { device: 'cuda' } });
    const scorer = scorerOf(policy, { device: 'cpu' });
    const scores = await scoreOne(scorer, twoTurns());
    expect(scores.provenance.device).toBe('cuda');
    await scoreOne(scorer, twoTurns());
    expect(policy.asked).toHaveLength(1);
    expect((await scorer.identity())?.device).toBe('cuda');
  });
});
