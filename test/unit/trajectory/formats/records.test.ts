import { describe, expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import { InflateError } from '../../../../src/trajectory/inflate';
import { ChatScanner } from '../../../../src/trajectory/chats';
import { scanRecords } from '../../../../src/trajectory/scan';
import { eachRecord, summarise } from '../../../../src/trajectory/summary';
import { ValueScanner } from '../../../../src/trajectory/values';
import type { OpenContainers } from '../../../../src/trajectory/values';
import { bytesSource } from '../support';
import { open } from './support';

const row = (output: string, more: object = {}): string => JSON.stringify({ input: 'user\nQuestion: q\nassistant\n', output, ...more });
const pretty = (output: string): string => JSON.stringify(JSON.parse(row(output)) as unknown, undefined, 2);

async function texts(content: string | Uint8Array): Promise<(string | boolean)[]> {
  const { results } = await open(content);
  return results.map((result) => (result.kind === 'trajectory' ? result.trajectory.text : result.message));
}

describe('records by bytes', () => {
  const pieces = async (text: string, containers: OpenContainers, most = Infinity): Promise<string[]> => {
    const bytes = new TextEncoder().encode(text);
    const found = await scanRecords(bytesSource(bytes, most), new ValueScanner(containers));
    return found.map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)));
  };

  it.each([1, 3, 7, Infinity])('are the same in pieces of %d bytes', async (most) => {
    const text = '\ufeff[ {"a": "]\\"}{é"} ,\n [1, {"b": 2}], "x, y", 3\n]\n[{"c": "\\\\"}]';
    expect(await pieces(text, ['['], most)).toEqual(['{"a": "]\\"}{é"}', '[1, {"b": 2}]', '"x, y"', '3', '{"c": "\\\\"}']);
  });

  it.each([
    ['values one after the other', '{"a":1}{"b":2}\n\n{"c":[\n{}\n]}', [], ['{"a":1}', '{"b":2}', '{"c":[\n{}\n]}']],
    ['a literal line feed between them', '{"a":1}\\n{"b":2}\\n', [], ['{"a":1}', '{"b":2}']],
    ['members of an object', '{"x": {"a":1}, "n": 3, "s": "{", "y": {"b":[1]}}', ['{'], ['{"a":1}', '{"b":[1]}']],
    ['a list under a key', '{"meta": {"v": [1]}, "results": [{"a":1}, {"b":2}], "n": 1}', ['{', '['], ['{"a":1}', '{"b":2}']],
    ['a value that breaks off in a string', '[\n  {"a": [{"x": "y\n  {"b":2},\n  {"c":3}\n]', ['['], ['{"a": [{"x": "y\n  ', '{"b":2}', '{"c":3}']],
    ['a value that breaks off after one', '{"a": 1\n{"b": 2}', [], ['{"a": 1\n', '{"b": 2}']],
    ['what is no container', 'stray, words\n{"a":1} tail', [], ['stray', 'words', '{"a":1}', 'tail']],
    ['the last one cut', '{"a":1}\n{"b": [', [], ['{"a":1}', '{"b": [']],
  ] as const)('%s', async (_, text, containers, expected) => {
    expect(await pieces(text, containers)).toEqual(expected);
  });

  it('counts lines, and reads UTF-16', async () => {
    const text = '\ufeff[\n{"ä":"\u010a\u0a22"},\n\n{"b":2}]';
    const bytes = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i++) new DataView(bytes.buffer).setUint16(i * 2, text.charCodeAt(i), false);
    const found = await scanRecords(bytesSource(bytes), new ValueScanner(['['], 'utf-16be'));
    expect(found.map(({ line }) => line)).toEqual([1, 3]);
    expect(found.map(({ start, end }) => new TextDecoder('utf-16be').decode(bytes.subarray(start, end)))).toEqual(['{"ä":"\u010a\u0a22"}', '{"b":2}']);
  });

  it('chats begin with a system message, or after a blank line', async () => {
    const text = 'note\n<|im_start|>system\ns<|im_end|>\n<|im_start|>user\nu<|im_end|>\n<|im_start|>assistant\na\n\n\n<|im_start|>user\nv';
    const found = await scanRecords(bytesSource(text), new ChatScanner('utf-8'));
    expect(found.map(({ start, end, line }) => [text.slice(start, start + 15), end, line])).toEqual([
      ['note\n<|im_start', 5, 0],
      ['<|im_start|>sys', text.lastIndexOf('<|im_start|>user'), 1],
      ['<|im_start|>use', text.length, 9],
    ]);
  });

  it('stop when asked', async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(scanRecords(bytesSource('[1]'), new ValueScanner(['[']), gone)).rejects.toThrow('enough');
    await expect(scanRecords(bytesSource('x'), new ChatScanner('utf-8'), gone)).rejects.toThrow('enough');
  });
});

describe('rows in any frame', () => {
  it.each([
    ['lines', `${row('a')}\n${row('b')}\n`],
    ['lines with carriage returns and a byte order mark', `\ufeff${row('a')}\r\n\r\n${row('b')}\r\n`],
    ['an array', `[${row('a')},${row('b')}]`],
    ['an array, a line each', `[\n${row('a')},\n${row('b')}\n]\n`],
    ['an array over many lines', `[${pretty('a')},\n${pretty('b')}]`],
    ['two arrays', `[${row('a')}]\n[${row('b')}]`],
    ['values over many lines', `${pretty('a')}\n\n${pretty('b')}`],
    ['values on one line', `${row('a')}${row('b')}`],
    ['a literal line feed', `${row('a')}\\n${row('b')}\\n`],
    ['members of an object', `{"1": ${row('a')}, "2": ${row('b')}}`],
    ['a list under a key', `{"run": "x", "results": [${row('a')}, ${row('b')}]}`],
    ['NUL bytes around them', `\0\0\0${row('a')}\n\0\0${row('b')}\n`],
  ])('%s', async (_, content) => {
    expect(await texts(content)).toEqual(['a', 'b']);
  });

  it('longer than what is looked at first', async () => {
    const long = row('x'.repeat(100_000));
    expect((await texts(`${long}\n${row('b')}\n`)).map((text) => String(text).length)).toEqual([100_000, 1]);
    expect((await texts(`[${long},${row('b')}]`)).map((text) => String(text).length)).toEqual([100_000, 1]);
    expect((await texts(`{"1":${long},"2":${row('b')}}`)).map((text) => String(text).length)).toEqual([100_000, 1]);
    expect((await texts(`${long}\\n${row('b')}\\n`)).map((text) => String(text).length)).toEqual([100_000, 1]);
  });

  it('reports each damaged one where it stands, and reads the others', async () => {
    const { results } = await open(`${row('a')}\n{"input": "x", "out\n<PLACEHOLDER ROW>\n\0\0\0\n${row('b').slice(0, 30)}\n[1]\n${row('c')}`);
    expect(results.map((result) => (result.kind === 'problem' ? result.message : result.trajectory.text))).toEqual([
      'a',
      expect.stringMatching(/^Line 2: .*breaks off/),
      expect.stringMatching(/^Line 3: .*not JSON/),
      expect.stringMatching(/^Line 4: .*NUL/),
      expect.stringMatching(/^Line 5: .*breaks off/),
      expect.stringMatching(/^Line 6: .*not an object/),
      'c',
    ]);
  });

  it('says of a row what is odd about it', async () => {
    const { results } = await open(`{"input": "q", "score": NaN, "output": "a", "output": "\\ud800b"}\n`);
    const [first] = results;
    expect(first?.kind === 'trajectory' && [first.trajectory.text, first.trajectory.findings.map((finding) => finding.code).slice(0, 2)]).toEqual(['\ud800b', ['damaged', 'duplicate-key']]);
  });

  it('reads a row of another kind by its own', async () => {
    const { format, results } = await open(`${row('a')}\n${JSON.stringify({ messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'b' }] })}\n{"summary": 1}\n`);
    expect([format, results.map((result) => (result.kind === 'trajectory' ? result.trajectory.dialect : result.message))]).toEqual(['verl', ['search-r1', 'chat-tools', expect.stringMatching(/^Line 3/)]]);
  });

  it('reads native trajectories a line each', async () => {
    const line = JSON.stringify({ question: 'q', answers: ['a'], turns: [{ answer: 'x' }] });
    expect([(await open(`${line}\n${line}\n`)).results.length, (await open(`${line}\n`)).results.length]).toEqual([2, 1]);
  });
});

it('shows the first records while the rest is still looked for', async () => {
  const content = `${row('x'.repeat(2_000_000))}\n${row('b')}\n${row('y'.repeat(2_000_000))}\n`;
  const seen: [number, number][] = [];
  let first: Promise<unknown> | undefined;
  await openTrajectoryFile(bytesSource(content), 'x.jsonl', undefined, {
    found: (file, bytes) => {
      seen.push([file.records.length, bytes]);
      if (file.records.length > 0) first ??= file.read(0);
    },
  });
  expect([seen[0], seen.at(-1)?.[1]]).toEqual([[0, 1 << 20], new TextEncoder().encode(content).length]);
  expect(await first).toMatchObject({ kind: 'trajectory' });
});

it('summaries are a pass of their own, which can be stopped', async () => {
  const file = await openTrajectoryFile(bytesSource(`${row('a')}\n{broken\n${row('b')}\n`), 'x.jsonl');
  const stop = new AbortController();
  const seen: (string | number)[] = [];
  const pass = async (): Promise<void> => {
    for await (const { record, summary } of eachRecord(file, {}, summarise, stop.signal)) {
      seen.push(record, summary.problem ?? summary.question ?? '');
      if (record === 1) stop.abort(new Error('enough'));
    }
  };
  await expect(pass()).rejects.toThrow('enough');
  expect(seen).toEqual([0, 'q', 1, expect.stringMatching(/^Line 2/)]);
});

describe('files of others', () => {
  it.each([
    ['a log of steps', '{"type": "user", "message": {"role": "user", "content": "x"}, "sessionId": "1"}\n'],
    ['placeholder rows', '<PLACEHOLDER ROW>\n<PLACEHOLDER ROW>\n'],
    ['code problems', '{"task_id": "1", "prompt": "def f():", "canonical_solution": "x", "test": "y"}\n'],
    ['steps with inputs and outputs', '{"task_id": "1", "steps": [{"input": "x", "output": "y"}]}\n'],
    ['samples of an evaluation', '{"version": 2, "samples": [{"id": 1, "input": "x", "target": "y"}]}'],
    ['a chat without a policy', '[{"role": "user", "content": "x"}]'],
  ])('%s are refused in one sentence', async (_, content) => {
    expect(await open(content)).toMatchObject({ format: undefined, message: expect.stringMatching(/^x\.json [^\n]*\.$/) as string, results: [] });
  });
});

describe('compressed files', () => {
  const packed = Uint8Array.of(0x1f, 0x8b, 8, 0);
  const noUnpackers = { unpackEntry: () => Promise.reject(new InflateError('is not read here')), checksum: () => 0 };
  it('are read through what unpacks them', async () => {
    const file = await openTrajectoryFile(bytesSource(packed), 'x.jsonl.gz', undefined, { unpackers: { ...noUnpackers, inflate: () => Promise.resolve(bytesSource(`${row('a')}\n`)) } });
    expect(await file.read(0)).toMatchObject({ kind: 'trajectory', trajectory: { text: 'a' } });
  });

  it('are named where that fails, or where nothing unpacks', async () => {
    const failing = await openTrajectoryFile(bytesSource(packed), 'x.gz', undefined, { unpackers: { ...noUnpackers, inflate: () => Promise.reject(new InflateError('is damaged')) } });
    expect(failing.kind).toEqual({ kind: 'foreign', message: 'x.gz is damaged.' });
    expect((await openTrajectoryFile(bytesSource(packed), 'x.gz')).kind).toMatchObject({ kind: 'foreign', message: expect.stringMatching(/gzip/) as string });
  });
});
