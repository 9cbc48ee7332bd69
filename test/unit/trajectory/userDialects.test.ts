import { expect, it } from 'vitest';
import { detectFile } from '../../../src/trajectory/detect';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import { readNative } from '../../../src/trajectory/read';
import { readUserDialects } from '../../../src/trajectory/userDialects';
import { openUnpackers } from '../../../src/scoring/unpackers';
import { makeZip } from '../../support/makeZip';
import { bytesSource } from './support';

it('an entry stands on Search-R1, and files in it are read', () => {
  const { dialects, problems } = readUserDialects([{ id: 'mine', tags: { search: { open: '<q>', close: '</q>' } } }]);
  expect(problems).toEqual([]);
  const result = readNative(JSON.stringify({ dialect: 'mine', question: 'q', answers: ['a'], turns: [{ text: '<q>who</q>', observation: 'x' }], answer: 'a' }), { dialects });
  expect(result).toMatchObject({ kind: 'trajectory', trajectory: { dialect: 'mine', turns: [{ queries: ['who'] }] } });
});

it('says which entry is no dialect', () => {
  expect(readUserDialects({}).problems).toHaveLength(1);
  expect(readUserDialects([{}, { id: 'a', tags: { think: { open: '<t>' } } }, { id: 'b', beforeAction: 3 }, { id: 'c', separator: '' }]).problems).toEqual([
    'Dialect 1 has no id.',
    'Dialect 2 (a): tags.think needs a text in open and in close.',
    'Dialect 3 (b): beforeAction must be a text.',
    'Dialect 4 (c): separator must be a text.',
  ]);
});

const tag = (name: string): { readonly open: string; readonly close: string } => ({ open: `[${name}]`, close: `[/${name}]` });
const { dialects } = readUserDialects([{ id: 'mine', tags: { think: tag('why'), search: tag('ask'), observation: tag('seen'), answer: tag('said') } }]);
const rollout = '[why]Who?[/why]\n[ask]Salt author[/ask]\n\n[seen]Salt is by Ada.[/seen]\n\n[why]So.[/why]\n[said] Ada [/said]';
const row = (question: string): string => JSON.stringify({ nr: 1, question, told: rollout });
const broken = row('C').slice(0, -20);
const unpackers = openUnpackers();

it.each([
  ['lines', `${row('A')}\n${row('B')}\n`, 'tagged-text', 2],
  ['lines of which the first is damaged', `${broken}\n${row('B')}\n`, 'tagged-text', 2],
  ['lines of which one has tags that ship', `${row('A')}\n${JSON.stringify({ told: '<search>Salt author</search>\n\n<information>Ada</information>\n\n<answer> Ada </answer>' })}\n`, 'tagged-text', 2],
  ['a list', `[${row('A')}, ${row('B')}]`, 'tagged-text', 2],
  ['rows under a key', `{"run": 1, "results": [${row('A')}, ${row('B')}]}`, 'tagged-text', 2],
  ['plain text', rollout, 'chat-text', 1],
  ['an archive', makeZip([{ name: 'a.jsonl', content: `${row('A')}\n` }]), 'tagged-text', 1],
])('files are told by the tags of a user: %s', async (_, content, format, count) => {
  const open = (own: typeof dialects): ReturnType<typeof openTrajectoryFile> => openTrajectoryFile(bytesSource(content), 'x', undefined, { unpackers, dialects: own });
  try {
    const file = await open(dialects);
    expect(file.kind).toEqual({ kind: 'trajectories', format });
    expect(file.records).toHaveLength(count);
    for (const { record } of file.records) expect(await file.read(record, { dialects })).toMatchObject({ kind: 'trajectory', trajectory: { turns: [{ queries: ['Salt author'] }] } });
  } finally {
    await unpackers.close();
  }
});

it('without the dialect they are of another kind, and so is text that names its tags alone', () => {
  const head = (text: string): Uint8Array => new TextEncoder().encode(text);
  expect(detectFile(head(row('A')), 'x').kind).toBe('foreign');
  expect(detectFile(head(rollout), 'x').kind).toBe('foreign');
  expect(detectFile(head(JSON.stringify({ nr: 1, told: 'Write [ask] and [seen].' })), 'x', dialects).kind).toBe('foreign');
  expect(detectFile(head('[why] is a tag, as is [ask].'), 'x', dialects).kind).toBe('foreign');
});
