import { describe, expect, test } from 'vitest';
import { placeInRecord, placeInText } from '../../../src/trajectory/counterpart';
import { pointerAt } from '../../../src/trajectory/recordStrings';
import { readText } from '../../../src/trajectory/read';
import type { Trajectory } from '../../../src/trajectory/model';

const flat = JSON.stringify({
  input: 'user\nQuestion: Who wrote "Salt"?\nassistant\n',
  output: '<think>Who wrote "Salt"?</think>\n<search>Salt</search>\n\n<information>Doc 1 Salt: é is by\tAda.</information>\n\n<search>Salt</search>\n\n<information>Doc 1 Salt again.</information>\n\n<answer> Ada </answer>',
  gts: { target: ['Ada'] },
  score: 1,
  step: 1,
  uid: 'q',
});
const call = (id: string, query: string): unknown => ({ role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: JSON.stringify({ query }) } }] });
const chat = JSON.stringify({
  question: 'Who wrote Salt?',
  answer: 'Ada',
  messages: [{ role: 'user', content: 'Who wrote Salt?' }, call('a', 'Salt novel'), { role: 'tool', tool_call_id: 'a', content: 'Nothing.' }, call('b', 'Salt novel'), { role: 'tool', tool_call_id: 'b', content: 'Nothing.' }, { role: 'assistant', content: 'It is Ada.' }],
});

function read(record: string, format: string): Trajectory {
  const result = readText(record, format);
  if (result.kind === 'problem') throw new Error(result.message);
  return result.trajectory;
}

describe('the same words in a record and in its text', () => {
  const places: [string, string, string, string][] = [
    ['a query of a flat text', flat, 'verl', 'Salt</search>\\n\\n<information>Doc 1 Salt: é'],
    ['its second time', flat, 'verl', 'Salt</search>\\n\\n<information>Doc 1 Salt again'],
    ['behind escapes', flat, 'verl', 'Ada.</information>'],
    ['a tool result', chat, 'messages', 'Nothing.'],
    ['the last message', chat, 'messages', 'Ada."'],
  ];
  for (const [name, record, format, words] of places) {
    test(name, () => {
      const { text } = read(record, format);
      const offset = record.indexOf(words);
      const there = placeInText(record, offset, text);
      expect(there).toBeDefined();
      const plain = words.replace(/\\n/g, '\n').replace(/"$/, '').slice(0, 30);
      expect(text.slice(there, (there ?? 0) + plain.length)).toBe(plain);
      expect(placeInRecord(record, text, there ?? 0)).toBe(offset);
    });
  }

  test('messages that say the same are told apart by their order', () => {
    const { text } = read(chat, 'messages');
    const [first, second] = [chat.indexOf('Nothing.'), chat.lastIndexOf('Nothing.')];
    expect(placeInText(chat, first, text)).toBe(text.indexOf('Nothing.'));
    expect(placeInText(chat, second, text)).toBe(text.lastIndexOf('Nothing.'));
    expect(placeInRecord(chat, text, text.lastIndexOf('Nothing.'))).toBe(second);
  });

  test('what is not in the text has no place there', () => {
    const { text } = read(flat, 'verl');
    expect(placeInText(flat, flat.indexOf('user\\n'), text)).toBeUndefined();
    expect(placeInText(flat, 0, text)).toBeUndefined();
    expect(placeInText('no JSON', 3, text)).toBeUndefined();
  });

  test('plain text stands where it stands', () => {
    expect(placeInText('a \\n record of words', 7, 'of a \\n record of words')).toBe(10);
    expect(placeInRecord('a \\n record of words', 'of a \\n record of words', 10)).toBe(7);
  });

  test('a hostile record is read over, in steps bounded by its size', () => {
    const deep = '['.repeat(200_000);
    const loop = JSON.stringify({ output: 'ab '.repeat(200_000) });
    const started = performance.now();
    expect(placeInText(deep, 100, 'x')).toBeUndefined();
    expect(placeInText(loop, 300_000, 'ab '.repeat(200_000))).toBeDefined();
    expect(pointerAt(deep, 3)).toBe('/0/0/0');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** The pointer at each `|` of a record, which is not of it. */
function pointersIn(marked: string): readonly string[] {
  const [first = '', ...rest] = marked.split('|');
  const record = marked.replaceAll('|', '');
  let at = first.length;
  return rest.map((piece) => {
    const pointer = pointerAt(record, at);
    at += piece.length;
    return pointer;
  });
}

describe('JSON pointers', () => {
  test.each([
    ['values', '{"a/b": [|1, {"c~": "|x", "d": ["y|", |"z"]}], "e": "w|"}', ['/a~1b/0', '/a~1b/1/c~0', '/a~1b/1/d/0', '/a~1b/1/d/1', '/e']],
    ['braces', '|{"a": |{"b": |[|]|}|}|', ['', '/a', '/a/b', '/a/b', '/a/b', '/a', '']],
    ['brackets', '|[|[|[1]|, 2]|]|', ['', '/0', '/0/0', '/0/0', '/0', '']],
    ['keys, and what stands between them and their values', '{|"a|b"| |:| | "x", "a|"|: 1, |"c|":| {"d|": 2}}', ['/ab', '/ab', '/ab', '/ab', '/ab', '/ab', '/a', '/a', '/c', '/c', '/c', '/c/d']],
    ['between members', '{ | "a": 1| | , | "b": [ | 2| |,| | 3 | ] | }', ['', '/a', '', '', '/b', '/b/0', '/b', '/b', '/b', '/b', '']],
    ['an empty record', '{|} | ', ['', '']],
    ['keys that are empty, and that come twice', '{"": |{"": |1}, "": [|2]}', ['/', '//', '//0']],
    ['damage', '{"a": "x|" "b": {"c": [1 |{"d": |2', ['/a', '/b/c/0', '/b/c/0/d']],
    ['values alone', '|1|, "|x"', ['', '', '']],
  ])('%s', (_, marked, pointers) => {
    expect(pointersIn(marked)).toEqual(pointers);
  });
});
