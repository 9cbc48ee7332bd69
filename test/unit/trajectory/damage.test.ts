import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import type { Trajectory } from '../../../src/trajectory/model';
import { openUnpackers } from '../../../src/scoring/unpackers';
import { bytesSource } from './support';

const unpackers = openUnpackers();
afterAll(() => unpackers.close());

const turn = (query: string): string => `<think>t</think>\n<search>${query}</search>\n\n<information>D</information>\n\n`;
const text = `${turn('one')}${turn('two')}<think>t</think>\n<answer>Paris</answer>`;
const row = (output = text, more: object = {}): string => JSON.stringify({ input: 'user\nQuestion: where?\nassistant\n', output, gts: { target: ['Paris'] }, score: 1, step: 1, ...more });
const call = (id: string): object => ({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'search', arguments: '{"query": "one"}' } }] });
const chat = JSON.stringify({ messages: [{ role: 'user', content: 'where?' }, call('a'), { role: 'tool', tool_call_id: 'a', content: 'D' }, { role: 'assistant', content: 'It is Paris' }], answer: 'Paris' });
const native = JSON.stringify({ question: 'where?', answers: ['Paris'], turns: [{ search: 'one', result: 'D' }, { search: 'two', result: 'D' }, { answer: 'Paris' }] });

const utf16 = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le');
const upTo = (content: string, mark: string): string => content.slice(0, content.indexOf(mark) + mark.length);

/** What a reader sees of a record: its turns, its answer and how it ends, the codes of findings that tell of damage; or the sentence of one that is not read. */
const whole = '2 turns, Paris, complete';

interface Case {
  readonly content: string | Uint8Array;
  /** One for each record; a sentence that is no trajectory in `foreign`. */
  readonly records?: readonly (string | RegExp)[];
  readonly foreign?: RegExp;
}

const cases: Readonly<Record<string, Case>> = {
  'a byte order mark': { content: `\ufeff${row()}\n${row()}\n`, records: [whole, whole] },
  'UTF-16, little end first': { content: utf16(`${row()}\n${row()}\n`), records: [whole, whole] },
  'UTF-16, big end first': { content: utf16(`${row()}\n${row()}\n`).swap16(), records: [whole, whole] },
  'CRLF, blank lines': { content: `${row()}\r\n\r\n \t\r\n${row()}\r\n`, records: [whole, whole] },
  'NaN and Infinity': { content: `${row().replace('"score":1', '"score":NaN,"x":-Infinity')}\n${row()}\n`, records: [`${whole}, damaged`, whole] },
  'NUL bytes at the start of a line': { content: `\0\0\0${row()}\n${row()}\n`, records: [`${whole}, damaged`, whole] },
  'NUL bytes in place of a line': { content: `${row()}\n${'\0'.repeat(4096)}\n${row()}\n`, records: [whole, /^Line 2: this record holds nothing but NUL bytes; it is skipped\.$/, whole] },
  'a lone surrogate': { content: `${row(text.replace('Paris<', 'Par\ud800is<'))}\n`, records: ['2 turns, Par\ud800is, complete'] },
  'bytes that are no UTF-8': { content: Buffer.concat([Buffer.from(row().replace('one', 'on')), Buffer.from('\n'), Buffer.from(row()).map((b) => (b === 0x3f ? 0xff : b))]), records: [whole, `${whole}, damaged`] },
  'a key twice': { content: `${row().replace('{', '{"score":0,')}\n`, records: [`${whole}, duplicate-key`] },
  'values one after the other': { content: `${row()}${row()} ${row()}`, records: [whole, whole, whole] },
  'a literal \\n between records': { content: `${row()}\\n${row()}\\n`, records: [whole, whole] },
  'two arrays': { content: `[${row()}]\n[${row()},${row()}]`, records: [whole, whole, whole] },
  'several values on a later line': { content: `${row()}\n${row()}${row()}\n${row()}\n`, records: [whole, /^Line 2: this record holds several values one after the other; each needs a line of its own; it is skipped\.$/, whole] },
  'a last line cut in its first turn': { content: `${row()}\n${upTo(row(), '<search>on')}`, records: [whole, '0 turns, none, damaged, damaged, gold-missing'] },
  'a last line cut in an observation': { content: `${row()}\n${upTo(row(), 'two</search>\\n\\n<information>')}`, records: [whole, '2 turns, none, damaged, damaged, gold-missing'] },
  'a last line cut in the answer': { content: `${row()}\n${upTo(row(), '<answer>Par')}`, records: [whole, '2 turns, none, damaged, damaged, gold-missing'] },
  'a last line cut in its golds': { content: `${row()}\n${upTo(row(), '"target":["Par')}`, records: [whole, `${whole}, damaged, gold-missing`] },
  'a last line cut before its rollout': { content: `${row()}\n${upTo(row(), 'Question: wh')}`, records: [whole, /^Line 2: this record is not JSON \(it breaks off/] },
  'an array cut in its last record': { content: `[\n${row()},\n${upTo(row(), 'two</search>')}`, records: [whole, '2 turns, none, damaged, damaged, gold-missing'] },
  'messages cut in the last one': { content: `${chat}\n${upTo(chat, 'It is Par')}`, records: ['1 turns, It is Paris, complete', '1 turns, none, damaged, damaged, gold-missing'] },
  'messages cut in a later column': { content: `${chat}\n${upTo(chat, '"answer":"Pa')}`, records: ['1 turns, It is Paris, complete', '1 turns, It is Paris, complete, damaged, gold-missing'] },
  'the only record, cut in an observation': { content: upTo(row(), 'two</search>\\n\\n<information>'), records: ['2 turns, none, damaged, damaged, gold-missing'] },
  'the only record, cut in the answer, and a line feed': { content: `${upTo(row(), '<answer>Par')}\n`, records: ['2 turns, none, damaged, damaged, gold-missing'] },
  'the only record, longer than the beginning that is looked at first, cut in the answer': { content: upTo(row(text.replace('one', 'x'.repeat(100_000))), '<answer>Par'), records: ['2 turns, none, damaged, damaged, gold-missing'] },
  'the only record, cut in a later column': { content: upTo(chat, '"answer":"Pa'), records: ['1 turns, It is Paris, complete, damaged, gold-missing'] },
  'the only record, indented and cut in the answer': { content: upTo(JSON.stringify(JSON.parse(row()), undefined, 2), '<answer>Par'), records: ['2 turns, none, damaged, damaged, gold-missing'] },
  'the only record of another kind, cut': { content: '{"epoch": 1, "name": "x', foreign: /^x is JSON but no search trajectory/ },
  'a quote that nothing escapes': { content: `${row()}\n${row().replace('two', 'two "x" y')}\n`, records: [whole, '1 turns, none, damaged, damaged, gold-missing'] },
  'a line feed within a string': { content: `${row()}\n${row().replace('two', 'tw\no')}\n${row()}\n`, records: [whole, '1 turns, none, damaged, damaged, gold-missing', /^Line 3: this record is not JSON/, whole] },
  'a control character within a string': { content: `${row()}\n${row().replace('two', 'two\u0007')}\n`, records: [whole, `${whole}, damaged`] },
  'a native record cut in its second turn': { content: upTo(native, '{"search":"tw'), records: ['1 turns, none, damaged, damaged'] },
  'native records as lines': { content: `${native}\n${native}\n`, records: [whole, whole] },
  'native records one after the other': { content: `${native}${native}\n`, records: [whole, whole] },
  'native records over several lines each': { content: `${JSON.stringify(JSON.parse(native), undefined, 2)}\n${JSON.stringify(JSON.parse(native), undefined, 2)}\n`, records: [whole, whole] },
  'a native record cut in its first key': { content: '{"quest', foreign: /^x breaks off before its first key is written/ },
  'gzip': { content: gzipSync(`${row()}\n${row()}\n`), records: [whole, whole] },
  'gzip that breaks off': { content: gzipSync(Array.from({ length: 200 }, (_, i) => row(text.replace('one', `one ${String(i * 7919)}`))).join('\n')).subarray(0, -400), records: [whole] },
  'a Git LFS pointer': { content: 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n', foreign: /^x is a Git LFS pointer/ },
  'a pickle': { content: Buffer.from([0x80, 4, 0x95, 1, 0, 0]), foreign: /^x is a Python pickle, .*never opened/ },
  'a torch checkpoint': { content: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(40)]), foreign: /^x .*ZIP|archive/ },
  'rows that hold nothing yet': { content: '{"id": 1, "note": "run the script to fetch"}\n{"id": 2, "note": "run the script to fetch"}\n', foreign: /^x is JSON but no/ },
  'golds that Python wrote as text': { content: `${row(text, { gts: "{'target': array(['Paris', \"Lutetia's\"], dtype=object)}" })}\n`, records: [`${whole}, gold-coerced`] },
  'nothing at all': { content: '', foreign: /^x is empty \(0 bytes\)\.$/ },
  'nothing but NUL': { content: '\0'.repeat(100), foreign: /^x holds nothing but NUL bytes/ },
};

const told = new Set(['damaged', 'duplicate-key', 'gold-coerced', 'gold-missing']);

it.each(Object.entries(cases))('%s', async (_, { content, records = [], foreign }) => {
  const file = await openTrajectoryFile(bytesSource(content), 'x', undefined, { unpackers });
  if (foreign !== undefined) {
    expect(file.kind).toMatchObject({ kind: 'foreign', message: expect.stringMatching(foreign) as string });
    return;
  }
  const seen = await Promise.all(
    file.records.map(async ({ record }) => {
      const read = await file.read(record);
      if (read.kind === 'problem') return read.message;
      const { turns, final, ending, findings } = read.trajectory;
      return [`${String(turns.length)} turns`, final?.answer ?? 'none', ending, ...findings.flatMap(({ code }) => (told.has(code) ? [code] : []))].join(', ');
    }),
  );
  const cut = records.length === 1 ? seen.slice(0, 1) : seen;
  expect(cut.map((s, i) => { const want = records[i]; return want instanceof RegExp && want.test(s) ? want : s; })).toEqual(records);
  // What cannot be read can be looked at.
  for (const { record } of file.records) expect((await file.raw(record)).trim()).not.toBe('');
});

const only = async (content: string): Promise<Trajectory> => {
  const file = await openTrajectoryFile(bytesSource(content), 'x.json');
  const result = await file.read(0);
  if (result.kind === 'problem') throw new Error(result.message);
  return result.trajectory;
};

it('a message that breaks off before it says whose it is leaves those before it', async () => {
  const state = JSON.stringify({ values: { messages: [{ content: 'where?', type: 'human' }, { content: 'Looking.', tool_calls: [{ name: 's', args: {}, id: 'c' }], type: 'ai' }, { content: 'D', tool_call_id: 'c', type: 'tool' }, { content: 'It is Paris', type: 'ai' }] } });
  const t = await only(upTo(state, 'It is P'));
  expect([t.ending, t.turns.length, t.final]).toEqual(['damaged', 1, undefined]);
});

it('a file that breaks off shows nothing of how its run ended; what it states stands', async () => {
  const run = (status: string): string => JSON.stringify({ info: { exit_status: status, config: {} }, messages: [{ role: 'user', content: 'Fix it.' }, { role: 'assistant', content: '```bash\nls\n```' }, { role: 'user', content: 'D' }, { role: 'assistant', content: '```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```' }], trajectory_format: 'mini-swe-agent-1.1' });
  const codes = async (content: string): Promise<string[]> => (await only(content)).findings.map(({ code }) => code).filter((code) => /^(?:run|outcome)-/.test(code));
  expect(await codes(upTo(run('Submitted'), '"D"'))).toEqual([]);
  expect(await codes(upTo(run('LimitsExceeded'), '"D"'))).toEqual(['run-truncated']);
});

it('a list of events that breaks off is damaged, also where its last one says nothing', async () => {
  const events = JSON.stringify([{ id: 1, source: 'user', action: 'message', args: { content: 'Do it.' } }, { id: 2, source: 'agent', action: 'run', args: { command: 'ls' } }, { id: 3, source: 'agent', action: 'change_agent_state', args: {} }]);
  const t = await only(upTo(events, 'change_agent'));
  expect([t.ending, t.turns.length, t.findings.map(({ code }) => code).includes('run-truncated')]).toEqual(['damaged', 1, false]);
});
