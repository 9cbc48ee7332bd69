import { describe, expect, it } from 'vitest';
import { gainContext, turnOfPiece } from '../../../src/credit/contexts';
import { fullId, lotapo, writtenId } from '../../../src/credit/lotapo';
import { nothing } from '../../../src/credit/method';
import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import { type CreditSettings, defaultSettings } from '../../../src/credit/settings';
import { defaultContract } from '../../../src/replay/contract';
import type { LikelihoodResult, ReplayResult } from '../../../src/replay/requests';
import type { Trajectory } from '../../../src/trajectory/model';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

const likely = (...logprobs: number[]): LikelihoodResult => ({
  kind: 'likelihood',
  tokens: logprobs.map((logprob) => ({ id: 0, text: '', logprob })),
  contextTokens: 1,
  cut: 0,
  notes: [],
});
const tooLong: ReplayResult = { kind: 'undefined', code: 'too-long', reason: 'too long' };

const requestsOf = (t: Trajectory, settings: Partial<CreditSettings> = {}) => new Map(lotapo.asks(t, { ...defaultSettings, ...settings }, defaultContract, nothing));
const assign = (t: Trajectory, results: Record<string, ReplayResult>, settings: Partial<CreditSettings> = {}) =>
  lotapo.assign(t, new Map(Object.entries(results)), { ...defaultSettings, ...settings }, defaultContract);

describe('contexts', () => {
  const t = twoTurns({ tail: '<think>cut' });

  it('are the prompt, every segment on its own, and the tail; never the final turn', () => {
    const pieces = gainContext(t, defaultContract);
    expect(pieces).toHaveLength(6);
    expect(pieces[0]).toMatchObject({ chat: [{ role: 'user', content: expect.stringMatching(/Question: Who wrote it\?$/) as string }] });
    expect(pieces.at(-1)).toEqual({ text: '<think>cut' });
    expect(JSON.stringify(pieces)).not.toContain('I know it');
    expect([0, 1, 2, 3, 4, 5].map((piece) => turnOfPiece(t, piece))).toEqual([0, 1, 1, 2, 2, 0]);
  });

  it('have one placeholder for a whole turn', () => {
    const pieces = gainContext(t, defaultContract, { turn: 1, replace: 'turn' });
    expect(pieces).toHaveLength(5);
    expect(pieces[1]).toEqual({ text: '[DELETE]' });
  });

  it('keep the reasoning where only the evidence is replaced', () => {
    const pieces = gainContext(t, defaultContract, { turn: 1, replace: 'evidence' });
    expect(pieces.slice(1, 3)).toEqual([{ text: '<think>I need to look.</think>\n' }, { text: '[DELETE]' }]);
    expect(pieces).toHaveLength(6);
  });

  it('put a second placeholder where the policy wrote on after its query', () => {
    const plain = makeTrajectory({ turns: [{ search: 'q', result: 'r' }] });
    const text = '<search>q</search> And so?<information>r</information>';
    const moved = { ...plain, text, turns: [{ index: 1, policy: { start: 0, end: 26 }, querySpans: [{ start: 8, end: 9 }], queries: ['q'], observation: { start: 26, end: text.length } }] };
    const pieces = gainContext(moved, defaultContract, { turn: 1, replace: 'evidence' });
    expect(pieces.slice(1)).toEqual([{ text: '[DELETE]' }, { text: ' And so?' }, { text: '[DELETE]' }]);
  });

  it('run recorded ids', () => {
    const recorded = makeTrajectory({ prompt: { kind: 'ids', ids: [7] }, turns: [{ search: 'q', result: 'r', ids: { policy: [1, 2] } }] });
    const pieces = gainContext(recorded, defaultContract);
    expect(pieces.slice(0, 2)).toEqual([{ ids: [7] }, { ids: [1, 2], text: '<think>I need to look.</think>\n<search>q</search>' }]);
  });

  it.each([
    [{ kind: 'text', text: 'user: x' } as const, { text: 'user: x' }],
    [{ kind: 'stripped', text: 'user\nx' } as const, { stripped: 'user\nx' }],
    [{ kind: 'messages', messages: [{ role: 'user', content: 'x' }] } as const, { chat: [{ role: 'user', content: 'x' }] }],
  ])('begin with the recorded prompt %j', (prompt, piece) => {
    expect(gainContext(twoTurns({ prompt }), defaultContract)[0]).toEqual(piece);
  });
});

describe('requests', () => {
  it('ask for the first gold, trimmed, in its wrapping', () => {
    const asked = requestsOf(twoTurns({ answers: [' Ada Quill\n', 'Ada'] }));
    expect([...asked.keys()]).toEqual([fullId(0), 'without/1/0', 'without/2/0']);
    expect([...asked.values()].map(({ turn }) => turn)).toEqual([0, 1, 2]);
    const request = asked.get(fullId(0))?.request;
    if (request?.kind !== 'likelihood') throw new Error('a likelihood expected');
    expect(request.target).toBe("<think>Now there's enough information to answer</think>\n<answer>Ada Quill</answer>");
    expect(request.scored.map(({ start, end }) => request.target.slice(start, end))).toEqual(['Ada Quill']);
    expect(request).not.toHaveProperty('keepLast');
  });

  it('leave out turns that are not eligible', () => {
    const t = makeTrajectory({ turns: [{ search: 'q' }, { search: 'p', result: ' ' }, { think: 'x' }, { search: 'o', result: 'r' }] });
    expect([...requestsOf(t).keys()]).toEqual([fullId(0), 'without/4/0']);
  });

  it('ask for every gold with best and mean, blank ones aside', () => {
    const t = twoTurns({ answers: ['a', ' ', 'b'] });
    expect(requestsOf(t, { gold: 'mean' }).size).toBe(6);
    expect([...requestsOf(t, { gold: 'best' }).keys()]).toContain('without/2/2');
  });

  it('without a gold ask for what was written alone, and nothing of a rollout without turns', () => {
    for (const answers of [[], ['']]) {
      const asked = requestsOf(twoTurns({ answers }));
      expect([...asked].map(([name, { request }]) => [name, request])).toMatchObject([[writtenId, { target: '', scored: [], written: [1, 3] }]]);
    }
    expect(requestsOf(makeTrajectory({ turns: [], answers: [] })).size).toBe(0);
  });

  it('are spared where the whole context is too long whatever turn is left out', () => {
    const known = (name: string): ReplayResult | undefined => (name === fullId(0) ? { ...tooLong, limit: 100, evenWithoutTwo: true } : undefined);
    expect([...lotapo.asks(twoTurns(), defaultSettings, defaultContract, known)].map(([name]) => name)).toEqual([fullId(0)]);
    const credit = assign(twoTurns(), { [fullId(0)]: { ...tooLong, limit: 100, evenWithoutTwo: true } });
    expect(credit.turns.map(({ gain, without }) => [gain, without])).toEqual(Array(2).fill(Array(2).fill(undefinedBecause("too long for the policy's 100 tokens of context"))));
  });

  it('are as many as are counted', () => {
    for (const t of [twoTurns(), twoTurns({ answers: [] }), twoTurns({ answers: ['a', ' ', 'b'] }), makeTrajectory({ turns: [] })]) {
      for (const gold of ['first', 'best'] as const) expect(lotapo.count(t, { ...defaultSettings, gold })).toBe(requestsOf(t, { gold }).size);
    }
  });

  it('pass on the trainer’s left truncation', () => {
    expect(requestsOf(twoTurns(), { keepLast: 100 }).get(fullId(0))?.request).toMatchObject({ keepLast: 100 });
  });
});

describe('gains', () => {
  it('are what the mean log-probability loses', () => {
    const credit = assign(twoTurns(), { 'full/0': likely(-0.25, -0.75), 'without/1/0': likely(-1, -2), 'without/2/0': likely(-0.25) });
    expect(credit.full).toEqual(value(-0.5));
    expect(credit.turns.map(({ gain }) => gain)).toEqual([value(1), value(-0.25)]);
    expect(credit.turns[0]?.without).toEqual(value(-1.5));
    expect(credit.golds).toEqual(['Ada Quill']);
    expect(credit.turns[0]?.tokens).toHaveLength(2);
  });

  it('are undefined one by one', () => {
    const credit = assign(twoTurns(), { 'full/0': likely(-1), 'without/1/0': tooLong, 'without/2/0': likely(-2) });
    expect(credit.turns.map(({ gain }) => gain)).toEqual([undefinedBecause('too long'), value(1)]);
  });

  it('are all undefined when the whole context is', () => {
    const credit = assign(twoTurns(), { 'full/0': tooLong, 'without/1/0': likely(-1), 'without/2/0': tooLong });
    expect(credit.turns.map(({ gain }) => gain)).toEqual([undefinedBecause('too long'), undefinedBecause('too long')]);
    expect(credit.turns[0]?.without).toEqual(value(-1));
  });

  it('that are not finite are undefined, where the official code says 0', () => {
    const credit = assign(twoTurns(), { 'full/0': likely(-1), 'without/1/0': likely(-Infinity), 'without/2/0': { kind: 'undefined', code: 'not-finite', reason: 'NaN.' } });
    expect(credit.turns.map(({ gain }) => gain)).toEqual([undefinedBecause('the log-probability is not finite', 0), undefinedBecause('NaN', 0)]);
  });

  it('are undefined without a gold or an executed search, and not scored without an answer', () => {
    expect(assign(twoTurns({ answers: [] }), {}).turns[0]?.gain).toEqual(undefinedBecause('no gold answer'));
    expect(assign(twoTurns({ answers: [' '] }), {}).full).toEqual(undefinedBecause('the gold answer is empty'));
    expect(assign(makeTrajectory({ turns: [{ search: 'q' }] }), {}).turns[0]?.gain).toEqual(undefinedBecause('no observation'));
    expect(assign(twoTurns(), { 'full/0': likely(-1) }).turns[0]?.gain).toEqual(notScored);
    expect(assign(twoTurns(), { 'without/1/0': likely(-1) }).turns[0]?.gain).toEqual(notScored);
  });

  it('keep the gold that the whole context likes best', () => {
    const t = twoTurns({ answers: ['a', 'b'] });
    const results = { 'full/0': likely(-3), 'full/1': likely(-1), 'without/1/0': likely(0), 'without/1/1': likely(-2), 'without/2/0': likely(0), 'without/2/1': likely(-4) };
    const credit = assign(t, results, { gold: 'best' });
    expect(credit.golds).toEqual(['b']);
    expect(credit.turns.map(({ gain }) => gain)).toEqual([value(1), value(3)]);
  });

  it('are means over the golds', () => {
    const t = twoTurns({ answers: ['a', 'b'] });
    const results = { 'full/0': likely(-3), 'full/1': likely(-1), 'without/1/0': likely(-4), 'without/1/1': likely(-2), 'without/2/0': tooLong, 'without/2/1': likely(-4) };
    const credit = assign(t, results, { gold: 'mean' });
    expect(credit.full).toEqual(value(-2));
    expect(credit.turns.map(({ gain }) => gain)).toEqual([value(1), undefinedBecause('too long')]);
    expect(credit).not.toHaveProperty('tokens');
  });
});
