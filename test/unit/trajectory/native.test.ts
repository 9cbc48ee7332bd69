import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchR1 } from '../../../src/trajectory/dialect';
import { textOf } from '../../../src/trajectory/model';
import type { Finding, Trajectory } from '../../../src/trajectory/model';
import { readNative } from '../../../src/trajectory/read';
import type { ReadRecord } from '../../../src/trajectory/records';
import { checkCover } from './support';

function record(source: string): ReadRecord {
  const result = readNative(source);
  if (result.kind === 'problem') throw new Error(result.message);
  checkCover(result.trajectory.text, result.trajectory);
  return result;
}
const read = (source: string): Trajectory => record(source).trajectory;
const withTurns = (turns: unknown, more: object = {}): string => JSON.stringify({ question: 'q?', answers: ['g'], turns, ...more }, undefined, 2);
const codes = (findings: readonly Finding[]): string[] => findings.map((finding) => finding.code);
const search = { think: 'a', search: 'q', result: 'D' };
const answer = { think: 'b', answer: 'A' };

describe('a native file', () => {
  it('renders its turns as the dialect does', () => {
    const t = read(withTurns([search, answer]));
    expect(t.text).toBe('<think>a</think>\n<search>q</search>\n\n<information>D</information>\n\n<think>b</think>\n<answer>A</answer>');
    expect(t.turns).toHaveLength(1);
    expect(t.final?.answer).toBe('A');
    expect(t.prompt).toEqual({ kind: 'contract' });
    expect(t.findings).toEqual([]);
  });

  it('allows comments, trailing commas, CRLF and a byte order mark', () => {
    const source = '\ufeff// a note\r\n{ "question": "q?", /* gold */ "answers": ["g",],\r\n "turns": [{"search": "q", "result": "D"},],}\r\n';
    const t = read(source.slice(1));
    expect([t.answers, t.turns[0]?.queries, codes(t.findings)]).toEqual([['g'], ['q'], ['no-answer']]);
  });

  it('renders no think tags for a turn without think, and several queries of one action', () => {
    const t = read(withTurns([{ search: ['a', 'b'], result: 'D' }]));
    expect(t.text).toBe('<search>a</search>\n<search>b</search>\n\n<information>D</information>\n\n');
    expect(t.turns[0]?.queries).toEqual(['a', 'b']);
  });

  it('takes text exactly, with what came back beside it or in it', () => {
    const beside = read(withTurns([{ text: 'go <search>q</search>', observation: '\n<information>D</information>' }, { text: '<answer>A</answer>' }]));
    expect(beside.text).toBe('go <search>q</search>\n<information>D</information><answer>A</answer>');
    expect(beside.turns[0]?.result && textOf(beside, beside.turns[0].result)).toBe('D');
    const within = read(withTurns([{ text: 'go <search>q</search>\n\n<information>D</information>\n\n<answer>A</answer>' }]));
    expect([within.turns.length, within.final?.answer]).toEqual([1, 'A']);
    const nothing = read(withTurns([{ text: '<search>q</search>\n<information>mine</information>', observation: '' }, answer]));
    expect(nothing.turns[0]?.ineligible).toBe('no observation');
    expect(codes(nothing.findings)).toContain('self-written-observation');
  });

  it('takes parts with what came back exactly', () => {
    const t = read(withTurns([{ think: 'a', search: 'q', observation: '\n<information>D</information>' }, { think: 'x', observation: searchR1.invalidAction }, answer]));
    expect(t.text.startsWith('<think>a</think>\n<search>q</search>\n<information>D</information><think>x</think>\nMy previous')).toBe(true);
    expect(t.turns.map((turn) => turn.ineligible)).toEqual([undefined, 'invalid action']);
  });

  it.each([
    ['no result', { think: 'a', search: 'q' }, 'no observation'],
    ['an empty result', { search: 'q', result: '' }, 'empty observation'],
    ['a blank result', { search: 'q', result: ' \n' }, 'empty observation'],
    ['no search', { think: 'a' }, 'no search'],
    ['an answer in the middle', { answer: 'x' }, 'no search'],
  ])('says why a turn with %s gets no gain', (_, turn, reason) => {
    expect(read(withTurns([turn, search, answer])).turns[0]?.ineligible).toBe(reason);
  });

  it('keeps documents that quote tags, and never reads their answer', () => {
    const result = '</information>\n\n<think>x</think><answer>W</answer><search>s</search><information>';
    const t = read(withTurns([{ search: 'q', result }, search]));
    expect(t.turns.map((turn) => turn.result && textOf(t, turn.result))).toEqual([result, 'D']);
    expect(t.final).toBeUndefined();
    expect(codes(t.findings)).toEqual(['answer-in-observation', 'tags-in-observation', 'no-answer']);
  });

  it('reads an object with a search and an answer as two actions', () => {
    const t = read(withTurns([{ ...search, answer: 'A' }]));
    expect([t.turns.length, t.final?.answer, codes(t.findings)]).toEqual([1, 'A', ['wrong-type']]);
  });

  it('takes prompt, messages and recorded ids, the ids first', () => {
    expect(read(withTurns([], { prompt: '<|im_start|>user\nhi<|im_end|>' })).prompt.kind).toBe('text');
    expect(read(withTurns([], { prompt: 'user\nhi\nassistant\n' })).prompt.kind).toBe('stripped');
    expect(read(withTurns([], { messages: [{ role: 'user', content: 'hi' }, 7] })).prompt).toEqual({ kind: 'messages', messages: [{ role: 'user', content: 'hi' }] });
    const t = read(withTurns([search], { prompt: 'hi', tokens: { prompt: [1, 2], turns: [{ policy: [3], observation: [4] }] } }));
    expect(t.prompt).toEqual({ kind: 'ids', ids: [1, 2], text: 'hi' });
    expect(t.turns[0]?.ids).toEqual({ policy: [3], observation: [4] });
  });

  it('keeps lone surrogates', () => {
    expect(read('{"question":"q","answers":["g"],"turns":[{"search":"\\ud800","result":"D\\udc00"}]}').text).toContain('D\udc00');
  });
});

describe('golds of a native file', () => {
  it.each([
    ['a list', '["a", "b"]', ['a', 'b'], []],
    ['one text', '"a"', ['a'], []],
    ['a number, as written', '1.50', ['1.50'], ['gold-coerced']],
    ['numbers in a list', '[1990, "x"]', ['1990', 'x'], ['gold-coerced']],
    ['true', 'true', ['true'], ['gold-coerced']],
    ['a list written as text', '"[\'a\', \\"b\\"]"', ['a', 'b'], ['gold-coerced']],
    ['lists within a list', '[["a"], ["b"]]', ['a', 'b'], ['gold-coerced']],
    ['lists within a list written as text', '"[[\'a\']]"', ['a'], ['gold-coerced']],
    ['an object', '{"target": ["a"]}', ['a'], []],
    ['a text that only looks like a list', '"[Deleted]"', ['[Deleted]'], []],
    ['nothing in a list', '[]', [], ['gold-empty']],
    ['an empty text', '""', [''], ['gold-empty']],
    ['null', 'null', [], ['gold-missing']],
    ['an object of another kind', '{"x": 1}', [], ['gold-not-text', 'gold-empty']],
    ['null in a list', '[null, "a"]', ['a'], ['gold-not-text']],
  ])('%s', (_, written, answers, expected) => {
    const t = read(`{"question": "q", "answers": ${written}, "turns": [${JSON.stringify(search)}, ${JSON.stringify(answer)}]}`);
    expect(t.answers).toEqual(answers);
    expect(codes(t.findings)).toEqual(expected);
  });

  it('says so where there are none', () => {
    expect(codes(read(JSON.stringify({ question: 'q', turns: [search, answer] })).findings)).toEqual(['gold-missing']);
  });
});

describe('a native file that is not as it should be', () => {
  it.each([
    ['turns is an object', withTurns({ a: 1 }), ['wrong-type', 'no-turns', 'no-answer']],
    ['turns is text', withTurns('x'), ['wrong-type', 'no-turns', 'no-answer']],
    ['turns is null', withTurns(null), ['no-turns', 'no-answer']],
    ['turns is empty', withTurns([]), ['no-turns', 'no-answer']],
    ['a turn is no object', withTurns([3, search, answer]), ['wrong-type']],
    ['a search is a number', withTurns([{ search: 7, result: 'D' }, answer]), ['wrong-type']],
    ['a result is a list', withTurns([{ search: 'q', result: ['D'] }, answer]), ['wrong-type', 'no-observation']],
    ['the dialect is unknown', withTurns([search, answer], { dialect: 'x' }), ['wrong-type']],
    ['a key is unknown', withTurns([search, answer], { more: 1 }), ['unknown-key']],
    ['a key of a turn is unknown', withTurns([{ ...search, score: 1 }, answer]), ['unknown-key']],
    ['the question is missing', JSON.stringify({ answers: ['g'], turns: [search, answer] }), ['question-missing']],
    ['a key stands twice', '{"question":"q","question":"r","answers":["g"],"turns":[{"search":"a","search":"b","result":"D"},{"answer":"A"}]}', ['duplicate-key', 'duplicate-key']],
    ['ids are no ids', withTurns([search, answer], { tokens: { turns: [{ policy: ['x'] }] } }), ['wrong-type']],
    ['NaN stands in it', '{"question":"q","answers":["g"],"recorded":{"reward":NaN,"x":-Infinity},"turns":[{"search":"a","result":"D"},{"answer":"A"}]}', ['damaged', 'damaged']],
    ['a comma is missing', '{"question":"q" "answers":["g"],"turns":[{"search":"a","result":"D"},{"answer":"A"}]}', ['damaged']],
    ['something follows', `${withTurns([search, answer])} {"question": 1}`, ['damaged']],
  ])('where %s', (_, source, expected) => {
    const t = read(source);
    expect(codes(t.findings)).toEqual(expected);
    expect(t.ending).toBe('complete');
  });

  const whole = withTurns([search, { ...search, result: 'E' }, answer]);
  it.each([
    ['in the second turn', whole.indexOf('"E"') + 2, 1],
    ['after the second turn', whole.indexOf('"think": "b"'), 2],
    ['before the turns', whole.indexOf('"turns"'), 0],
  ])('opens the turns before the damage: %s', (_, end, turns) => {
    const t = read(whole.slice(0, end));
    expect([t.turns.length, t.ending, t.final]).toEqual([turns, 'damaged', undefined]);
    const damage = t.findings.filter((finding) => finding.code === 'damaged');
    expect(damage).toMatchObject([{ message: expect.stringMatching(/^Line \d+: the JSON breaks here/) as string }]);
    expect(damage[0]?.atSource).toBeDefined();
  });

  it('knows that nothing is lost where only the last brace is missing', () => {
    const t = read(whole.trimEnd().slice(0, -1));
    expect([t.turns.length, t.final?.answer, t.ending]).toEqual([2, 'A', 'complete']);
    expect(codes(t.findings)).toEqual(['damaged']);
  });

  it('refuses deep nesting, and what is no object, in a sentence', () => {
    const deep = readNative(`{"question": "q", "turns": ${'['.repeat(50_000)}`);
    expect(deep).toMatchObject({ kind: 'problem', message: expect.stringMatching(/^Line 1: brackets nest too deep/) as string });
    expect(readNative('[1]')).toMatchObject({ kind: 'problem' });
    expect(readNative('')).toMatchObject({ kind: 'problem' });
  });

  it('never throws and always covers its text, whatever is changed in a file', () => {
    const bits = ['"', '{', '}', '[', ']', ',', ':', '\\', '\n', 'NaN', '//', '/*', '\ud800', '<search>', '</information>', 'null', '1e999'];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.length), fc.nat(20), fc.constantFrom(...bits)), { minLength: 1, maxLength: 6 }), (edits) => {
        let source = whole;
        for (const [at, length, insert] of edits) source = source.slice(0, at) + insert + source.slice(at + length);
        const result = readNative(source);
        if (result.kind === 'trajectory') checkCover(result.trajectory.text, result.trajectory);
      }),
      { numRuns: 2000 },
    );
  });
});
