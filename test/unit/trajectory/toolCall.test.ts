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
