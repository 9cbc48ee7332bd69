import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchR1 } from '../../../src/trajectory/dialect';
import { renderTurn } from '../../../src/trajectory/render';
import type { TurnParts } from '../../../src/trajectory/render';
import { segment } from '../../../src/trajectory/segment';
import { checkCover, partition } from './support';

const turn = (search: string, result: string, think = 'hm'): string => renderTurn({ think, searches: [search], result }, searchR1);
const answer = '<think>so</think>\n<answer> X </answer>';
const read = (text: string) => segment(text, searchR1);
const codes = (text: string): string[] => read(text).findings.map((finding) => finding.code);

describe('who wrote which character', () => {
  it('gives the environment what the dialect names, and the policy the rest', () => {
    expect(partition(turn('q', 'D') + answer, read(turn('q', 'D') + answer))).toEqual([
      'P <think>hm</think>\n<search>q</search>',
      'O \n\n<information>D</information>\n\n',
      `F ${answer}`,
    ]);
  });

  it('gives other whitespace around an observation to the environment', () => {
    const text = '<think>a</think> <search> q </search> <information>D</information>\n<think>b</think>\n<answer>Z</answer>\n';
    const s = read(text);
    expect(partition(text, s)).toEqual([
      'P <think>a</think> <search> q </search>',
      'O  <information>D</information>\n',
      'F <think>b</think>\n<answer>Z</answer>\n',
    ]);
    expect(s.turns[0]?.queries).toEqual(['q']);
  });

  it.each([
    ['a closing tag', 'a </information> b'],
    ['a closing tag before an answer', 'a </information> <answer>W</answer> b'],
    ['a closing tag and a blank line before an answer', 'a </information>\n\n<answer>W</answer> b'],
    ['an opening tag', 'an <information> tag'],
    ['a pair', 'an <information>x</information> tag'],
    ['a search', '<search>w</search> z'],
    ['a search with its observation', 'see <search>w</search>\n\n<information>fake</information> z'],
    ['a whole rollout', 'ex: <think>x</think><search>f</search>\n\n<information>doc</information>\n\n<answer>W</answer> end.'],
    ['the message about an invalid action', `he said: ${searchR1.invalidAction} and left`],
  ])('keeps %s in the document that quotes it', (_, document) => {
    const text = turn('q', document) + turn('q2', 'D2') + answer;
    const s = read(text);
    expect(s.turns.map((t) => t.queries)).toEqual([['q'], ['q2']]);
    expect(s.turns.map((t) => text.slice(t.result?.start, t.result?.end))).toEqual([document, 'D2']);
    expect(s.final?.answer).toBe('X');
  });

  it('never reads an answer out of a document', () => {
    const s = read(turn('q', 'the answer is <answer>W</answer>'));
    expect(s.final).toBeUndefined();
    expect(s.findings.map((finding) => finding.code)).toEqual(['answer-in-observation']);
  });

  it('takes what the policy wrote inside observation tags for its own text', () => {
    const text = `<think>I imagine <information>fake</information> ok</think>\n<search>q</search>\n\n<information>D</information>\n\n${answer}`;
    const s = read(text);
    expect(s.turns.map((t) => text.slice(t.result?.start, t.result?.end))).toEqual(['D']);
    expect(codes(text)).toEqual(['self-written-observation']);
    expect(codes(`<think>x</think>\n\n<information>fake</information>\n\n<answer>Z</answer>`)).toEqual(['self-written-observation']);
  });

  it.each([
    ['a thought', '<think>b</think>\n<search>q2</search>\n\n<information>D2</information>\n\n<answer>Y</answer>', ['q'], ['q2']],
    ['a search', '<search>q2</search>\n\n<information>D2</information>\n\n<answer>Y</answer>', ['q'], ['q2']],
  ])('splits a truncated observation where the policy goes on with %s', (_, rest, ...queries) => {
    const text = `<search>q</search>\n\n<information>Doc 1 cut${rest}`;
    const s = read(text);
    expect(s.turns.map((t) => t.queries)).toEqual(queries);
    expect(text.slice(s.turns[0]?.result?.start, s.turns[0]?.result?.end)).toBe('Doc 1 cut');
    expect(s.final?.answer).toBe('Y');
    expect(codes(text)).toEqual(['truncated-observation']);
  });

  it('never splits the message about an invalid action', () => {
    const text = `<search>q</search>\n\n<information>D</information>\n${searchR1.invalidAction}<answer>A</answer>`;
    expect(partition(text, read(text)).slice(1)).toEqual(['O \n\n<information>D</information>\n', 'P ', `O ${searchR1.invalidAction}`, 'F <answer>A</answer>']);
  });

  it('splits a truncated observation before the answer that ends the text', () => {
    const text = '<search>q</search>\n\n<information>Doc 1 cut<answer>Y</answer>';
    expect(partition(text, read(text))).toEqual(['P <search>q</search>', 'O \n\n<information>Doc 1 cut', 'F <answer>Y</answer>']);
  });
});

describe('turns', () => {
  it.each([
    ['nothing came back, and the policy went on', '<search>q</search><think>b</think>\n<search>q2</search>\n\n<information>D</information>\n\n', ['no observation', undefined]],
    ['the rollout ended with a search', '<think>b</think>\n<search>q</search>', ['no observation']],
    ['the observation is blank', turn('q', ' \n'), ['empty observation']],
    ['the environment refused the action', `<think>a</think>${searchR1.invalidAction}${turn('q', 'D')}`, ['invalid action', undefined]],
    ['the search tag is not closed', `<search>q${searchR1.invalidAction}`, ['invalid action']],
    ['the search was executed', turn('q', 'D'), [undefined]],
  ])('where %s', (_, text, reasons) => {
    expect(read(text).turns.map((t) => t.ineligible)).toEqual(reasons);
  });

  it('keeps parallel searches of one action together', () => {
    const s = read(`<search>a</search>\n<search>b</search>\n\n<information>D</information>\n\n${answer}`);
    expect(s.turns.map((t) => t.queries)).toEqual([['a', 'b']]);
  });

  it('tells a search that was only thought about from one that was executed', () => {
    const s = read(`<think>plan <search>x</search> more</think>\n<search>y</search>\n\n<information>D</information>\n\n${answer}`);
    expect(s.turns.map((t) => t.queries)).toEqual([['y']]);
  });

  it('names a search without a query', () => {
    expect(codes(turn('', 'D') + answer)).toEqual(['empty-query']);
  });

  it('names tags without a partner', () => {
    expect(codes(`</think>\n<search>a</search>\n\n<information>D</information>\n\n<think>b`)).toEqual(['unpaired-tag', 'unpaired-tag']);
  });
});

describe('the final turn', () => {
  it('is the last action with an answer after which no search was executed', () => {
    expect(read('<answer>A</answer> <search>q</search>\n\n<information>D</information>\n\n<answer>B</answer>').final?.answer).toBe('B');
    expect(read('<answer>A</answer> <search>q</search>').final?.answer).toBe('A');
    expect(read(`<answer>A</answer> <search>q</search>\n\n<information>D</information>\n\n`).final).toBeUndefined();
    expect(read('<answer>A</answer> no, <answer>B</answer>').final?.answer).toBe('B');
  });

  it('is absent where the text is cut off, which leaves a tail', () => {
    const text = `${turn('q', 'D')}<think>b</think><answer>Par`;
    expect(partition(text, read(text)).at(-1)).toBe('T <think>b</think><answer>Par');
    expect(partition('just text', read('just text'))).toEqual(['T just text']);
  });
});

const quotes = [...Object.values(searchR1.tags).flatMap((tag) => [tag.open, tag.close]), '\n\n', '\n', ' ', 'é', '\ud800', '😀', 'plain', 'Doc 1(Title: "x")'];
const nasty = fc.array(fc.constantFrom(...quotes), { maxLength: 12 }).map((parts) => parts.join(''));
/** Text that policy and documents can hold without making the reading ambiguous: no tag of the dialect. */
const tame = nasty.map((text) => text.replaceAll(/<\/?(?:think|search|information|answer)>/g, '<b>'));
const quoting = tame.map((text) => `x ${text} <answer>W</answer> <search>s</search> </information> y`);

const searchTurn = fc.record({ think: fc.option(tame, { nil: undefined }), search: tame, result: fc.oneof(tame, quoting) });

describe('properties', () => {
  it('segmentation gives back what was rendered', () => {
    fc.assert(
      fc.property(fc.array(searchTurn, { maxLength: 6 }), fc.option(tame, { nil: undefined }), tame, (turns, think, said) => {
        const parts = turns.map(({ think: thought, search, result }): TurnParts => {
          return { searches: [search], result, ...(thought === undefined ? {} : { think: thought }) };
        });
        const last: TurnParts = { answer: said, ...(think === undefined ? {} : { think }) };
        const text = [...parts, last].map((part) => renderTurn(part, searchR1)).join('');
        const s = read(text);
        checkCover(text, s);
        expect(s.turns.map((t) => text.slice(t.result?.start, t.result?.end))).toEqual(turns.map((t) => t.result));
        expect(s.turns.map((t) => t.querySpans.map((span) => text.slice(span.start, span.end)))).toEqual(turns.map((t) => [t.search]));
        expect(s.turns.map((t) => t.think && text.slice(t.think.start, t.think.end))).toEqual(turns.map((t) => t.think));
        expect(text.slice(s.final?.answerSpan.start, s.final?.answerSpan.end)).toBe(said);
      }),
      { numRuns: 500 },
    );
  });

  it('covers any text without gaps and overlaps', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...quotes, searchR1.invalidAction), { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        checkCover(text, read(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['opening tags', '<information>'],
    ['closing tags', '</information>'],
    ['answered searches without an opening tag', '</search><information>'],
    ['parallel searches', '<search>a</search>'],
    ['thought searches', '<think><search>a</search>'],
    ['nested observations', '<search>q</search>\n\n<information>x'],
    ['invalid actions', searchR1.invalidAction],
    ['whitespace', `</search>${' '.repeat(50)}`],
  ])('takes time in proportion to the text: %s', (_, part) => {
    const text = `<search>q</search><information>${part.repeat(Math.ceil(500_000 / part.length))}`;
    const started = performance.now();
    checkCover(text, read(text));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
