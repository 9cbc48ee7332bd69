import { expect, it } from 'vitest';
import { findDialect, searchR1 } from '../../../src/trajectory/dialect';
import type { Dialect } from '../../../src/trajectory/dialect';
import { readNative } from '../../../src/trajectory/read';
import { queriesOfCall, readCall, wordFor } from '../../../src/trajectory/toolCall';
import { renderTranscript } from '../../../src/trajectory/transcript';

const dialect = (id: string): Dialect => findDialect(id) ?? searchR1;
const call = (name: string, given: unknown): string => JSON.stringify({ name, arguments: given });

it.each([
  ['search-r1', 'Salt', 'search'],
  ['react', 'Salt', 'search'],
  ['commands', 'ls', 'command'],
  ['qwen-tools', call('lookup', { query: 'Salt' }), 'search'],
  ['qwen-tools', call('edit', { path: 'a.py' }), 'call'],
  ['qwen-tools', 'no JSON', 'call'],
  ['chat-tools', call('bash', { command: 'ls' }), 'call'],
])('an action of %s that is %s is named a %s', (id, text, word) => {
  expect(wordFor(text, { start: 0, end: text.length }, dialect(id))).toBe(word);
});

it('the transcript and what is said of a turn name its action alike', () => {
  const turns = [call('edit', { path: 'a.py' }), call('search', { query: 'Salt' })].map((search) => ({ search }));
  const result = readNative(JSON.stringify({ question: 'Q', answers: [], dialect: 'qwen-tools', turns }));
  if (result.kind === 'problem') throw new Error(result.message);
  const { text } = renderTranscript(result.trajectory);
  expect(text.match(/^▸ (?:call|search)/gm)).toEqual(['▸ call', '▸ search']);
  expect(result.trajectory.findings.flatMap(({ message }) => /^Nothing came back for the (\w+)/.exec(message)?.[1] ?? [])).toEqual(['call', 'search']);
});

it('a call whose arguments nest too deep is none', () => {
  const deep = `{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}`;
  expect(readCall(`{"name":"x","arguments":${deep}}`)).toBeUndefined();
  const inText = readCall(call('x', deep));
  expect(inText && queriesOfCall(inText)).toEqual([`x ${deep}`]);
});

it.each([
  ['Qwen3-Coder', '<function=search>\n<parameter=query>\nSalt\n</parameter>\n<parameter=k>\n5\n</parameter>\n</function>', 'search', { query: 'Salt', k: '5' }, ['Salt']],
  ['Qwen3-Coder, a list', '<function=search><parameter=query>["Salt", "Sea"]</parameter></function>', 'search', { query: ['Salt', 'Sea'] }, ['Salt', 'Sea']],
  ['Qwen3-Coder, no arguments', '<function=finish>\n</function>', 'finish', {}, ['finish']],
  ['GLM', 'search\n<arg_key>query</arg_key>\n<arg_value>Salt</arg_value>', 'search', { query: 'Salt' }, ['Salt']],
  ['Tongyi DeepResearch', '{"name": "PythonInterpreter", "arguments": {}}\n<code>\nprint(1)\n</code>', 'PythonInterpreter', { code: 'print(1)' }, ['print(1)']],
  ['a program alone', '<code>print(1)</code>', 'code', { code: 'print(1)' }, ['print(1)']],
  ['MCP', '<tool_name>search</tool_name>\n<arguments>{"q": "Salt"}</arguments>', 'search', { q: 'Salt' }, ['Salt']],
] as const)('calls in tags: %s', (_, text, name, given, queries) => {
  const read = readCall(text);
  expect(read).toEqual({ name, arguments: given });
  expect(read && queriesOfCall(read)).toEqual(queries);
});

it.each(['<function=', '<function=>x</function>', 'two words<arg_key>a</arg_key>', '<arg_key>a</arg_key>', 'print(1)', '<code>print(1)', '<code>a</code> and more', '{"query": "Salt"}<code>a</code>'])('%s is no call', (text) => {
  expect(readCall(text)).toBeUndefined();
});

it('calls in tags take time in proportion to their length', () => {
  const started = performance.now();
  for (const text of ['<function=a>' + '<parameter=b>'.repeat(50_000), 'a' + '<arg_key>b</arg_key>'.repeat(40_000), '<code>'.repeat(100_000)]) readCall(text);
  expect(performance.now() - started).toBeLessThan(1_000);
});
