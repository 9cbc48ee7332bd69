import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nothing } from '../../../src/credit/method';
import { oases, stateId } from '../../../src/credit/oases';
import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import { defaultSettings } from '../../../src/credit/settings';
import { defaultContract } from '../../../src/replay/contract';
import type { AnswerResult, ReplayResult } from '../../../src/replay/requests';
import type { Trajectory } from '../../../src/trajectory/model';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

const answered = (text: string, rest: Partial<AnswerResult> = {}): AnswerResult => ({
  kind: 'answer',
  text,
  ids: [],
  logprobs: [],
  margin: 2,
  ended: 'stop',
  contextTokens: 1,
  notes: [],
  ...rest,
});
const tooLong: ReplayResult = { kind: 'undefined', code: 'too-long', reason: '2,000 tokens are more than 1,536.' };

function assign(t: Trajectory, results: readonly (ReplayResult | undefined)[], settings = defaultSettings): ReturnType<typeof oases.assign> {
  return oases.assign(t, new Map(results.flatMap((result, state) => (result ? [[stateId(state), result] as const] : []))), settings, defaultContract);
}

/** What the policy is told of each state. */
const contents = (t: Trajectory, evaluatorPrompt: string): (string | undefined)[] =>
  [...oases.asks(t, defaultSettings, { ...defaultContract, evaluatorPrompt }, nothing)].flatMap(([, { request }]) => request.context.flatMap((piece) => ('chat' in piece ? piece.chat.map(({ content }) => content) : [])));

describe('requests', () => {
  it('ask for an answer from each of the T + 1 states', () => {
    const asked = [...oases.asks(twoTurns(), defaultSettings, defaultContract, nothing)].map(([, ask]) => ask);
    expect(asked.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(asked.every(({ request }) => request.kind === 'answer' && request.maxTokens === 64)).toBe(true);
  });

  it('never read what is filled in as a template', () => {
    const t = twoTurns({ question: 'What is {state}?' });
    expect(contents(t, '{question}|{state}')[0]).toBe('What is {state}?|');
  });

  it('cut the newlines after a state, and nothing else', () => {
    const t = makeTrajectory({ turns: [{ search: 'q', result: 'r' }, { search: 'p' }] });
    expect(contents(t, '{state}')).toEqual(['', expect.stringMatching(/<information>r<\/information>$/), expect.stringMatching(/<search>p<\/search>$/)]);
  });
});

describe('credit', () => {
  it('pays each turn for what it changed', () => {
    const credit = assign(twoTurns(), [answered('<answer>unknown</answer>'), answered('<answer> Ada </answer>'), answered('<answer>Ada Quill</answer>')]);
    expect(credit.states.map(({ answerability }) => answerability)).toEqual([value(0), value(2 / 3), value(1)]);
    expect(credit.states.map(({ exactMatch }) => exactMatch)).toEqual([value(0), value(0), value(1)]);
    expect(credit.rewards).toEqual([value(1 / 3), value(0.5 * (1 - 2 / 3))]);
    expect(credit.rewardSum).toEqual(value(0.5));
    expect(credit.telescoped).toEqual(value(0.5));
  });

  it('sums to α(γ_T − γ_0) whatever is answered', () => {
    const answers = fc.array(fc.constantFrom('Ada', 'Quill', 'Ada Quill', 'Ada Ada Quill Pen', 'nobody'), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(answers, fc.double({ min: 0, max: 4, noNaN: true }), (texts, alpha) => {
        const t = makeTrajectory({ turns: [{ search: 'a', result: 'a' }, { search: 'b', result: 'b' }, { search: 'c', result: 'c' }] });
        const credit = assign(t, texts.map((text) => answered(`<answer>${text}</answer>`)), { ...defaultSettings, alpha });
        const [sum, telescoped] = [credit.rewardSum, credit.telescoped];
        expect(sum.kind === 'value' && telescoped.kind === 'value' && Math.abs(sum.value - telescoped.value) < 1e-12).toBe(true);
      }),
    );
  });

  it('takes text without an answer for an empty one, worth 0', () => {
    const { states } = assign(twoTurns(), [answered('I think', { ended: 'length' })]);
    expect(states[0]).toMatchObject({ answer: '', answerless: true, cut: true, answerability: value(0) });
  });

  it('gives answers without a gold, and no answerability', () => {
    const credit = assign(twoTurns({ answers: [] }), [answered('<answer>x</answer>'), answered('<answer>y</answer>'), answered('<answer>z</answer>')]);
    expect(credit.states.map(({ answer }) => answer)).toEqual(['x', 'y', 'z']);
    expect(credit.states[2]?.answerability).toEqual(undefinedBecause('no gold answer'));
    expect(credit.rewards[0]).toEqual(undefinedBecause('no gold answer'));
    expect(credit.rewardSum).toEqual(undefinedBecause('no gold answer'));
  });

  it('leaves the states that fit when one is too long', () => {
    const credit = assign(twoTurns(), [answered('<answer>unknown</answer>'), answered('<answer>Ada Quill</answer>'), tooLong]);
    const why = undefinedBecause('2,000 tokens are more than 1,536');
    expect(credit.states.map(({ answerability }) => answerability)).toEqual([value(0), value(1), why]);
    expect(credit.rewards).toEqual([value(0.5), why]);
  });

  it('is not scored where nothing was answered', () => {
    const credit = assign(twoTurns(), [answered('<answer>unknown</answer>')]);
    expect(credit.states[1]?.answerability).toEqual(notScored);
    expect(credit.rewards).toEqual([notScored, notScored]);
    expect(credit.states[1]).not.toHaveProperty('answer');
  });

  it('stands on the question alone without turns', () => {
    const credit = assign(makeTrajectory({ turns: [], answer: 'x' }), [answered('<answer>Ada Quill</answer>')]);
    expect(credit.states).toHaveLength(1);
    expect(credit.rewardSum).toEqual(value(0));
  });

  it('has no margin where there was no second choice', () => {
    expect(assign(twoTurns(), [answered('<answer>x</answer>', { margin: Infinity })]).states[0]?.margin.kind).toBe('undefined');
  });
});
