import { describe, expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import { LineScanner } from '../../../src/trajectory/lines';
import { scanRecords } from '../../../src/trajectory/scan';
import { summarise } from '../../../src/trajectory/summary';
import { bytesSource } from './support';

const row = (output: string): string => JSON.stringify({ input: 'user\nq\nassistant\n', output, score: 0, step: 1 });

describe('a file of rows', () => {
  const text = `\ufeff\n${row('a')}\r\n\r\n  \n${row('é😀')}\n{"input": "broken\n${row('c')}`;

  it.each([1, 2, 7, Infinity])('finds each line that is not blank, with its number, in pieces of %d bytes', async (most) => {
    const records = await scanRecords(bytesSource(text, most), new LineScanner('utf-8'));
    expect(records.map(({ record, line }) => [record, line])).toEqual([[0, 1], [1, 4], [2, 5], [3, 6]]);
  });

  it('reads each by its range, and damaged ones as a sentence', async () => {
    const file = await openTrajectoryFile(bytesSource(text), 'x.jsonl');
    const results = await Promise.all(file.records.map(({ record }) => file.read(record)));
    expect(results.map((r) => (r.kind === 'trajectory' ? r.trajectory.text : r.message))).toEqual([
      'a',
      'é😀',
      'Line 6: this record is not JSON (it breaks off in the middle of the record); it is skipped.',
      'c',
    ]);
    expect(await file.read(9)).toMatchObject({ kind: 'problem' });
  });

  it('reads UTF-16', async () => {
    const text = `\ufeff${row('ä')}\r\n\r\n${row('b')}\n`;
    const bytes = new Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i++) new DataView(bytes.buffer).setUint16(i * 2, text.charCodeAt(i), true);
    const file = await openTrajectoryFile(bytesSource(bytes), 'x.jsonl');
    const results = await Promise.all(file.records.map(({ record }) => file.read(record)));
    expect(results.map((r) => r.kind === 'trajectory' && r.trajectory.text)).toEqual(['ä', 'b']);
    expect(await scanRecords(bytesSource(bytes, 3), new LineScanner('utf-16le'))).toEqual(file.records);
    expect(file.records.map(({ line }) => line)).toEqual([0, 2]);
  });

  it('says where bytes are no UTF-8', async () => {
    const bytes = new TextEncoder().encode(row('a!'));
    bytes[bytes.indexOf(0x21)] = 0xff;
    const file = await openTrajectoryFile(bytesSource(bytes), 'x.jsonl');
    const result = await file.read(0);
    expect(result.kind === 'trajectory' && [result.trajectory.text, result.trajectory.findings[0]?.code]).toEqual(['a\ufffd', 'damaged']);
  });

  it('never holds a huge line while it looks for boundaries', async () => {
    const source = bytesSource(`${row('x'.repeat(5_000_000))}\n${row('b')}`);
    const file = await openTrajectoryFile(source, 'x.jsonl');
    expect(file.records).toHaveLength(2);
    expect(source.largest()).toBeLessThanOrEqual(1 << 20);
  });

  it('stops when asked', async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(openTrajectoryFile(bytesSource(`${row('a')}\n`), 'x.jsonl', gone)).rejects.toThrow('enough');
  });
});

it('reads a foreign file as one sentence', async () => {
  const file = await openTrajectoryFile(bytesSource(''), 'x.traj');
  expect(file.records).toEqual([]);
  expect(await file.read(0)).toEqual({ kind: 'problem', message: 'x.traj is empty (0 bytes).' });
});

it('summarises what it reads', async () => {
  const source = JSON.stringify({ question: 'q', answers: ['g'], turns: [{ search: ['a', 'b'], result: 'D' }, { answer: ' A ' }] });
  const file = await openTrajectoryFile(bytesSource(source), 'x.traj');
  expect(summarise(await file.read(0))).toEqual({ question: 'q', turns: 1, queries: ['a | b'], answer: 'A', answers: ['g'], findings: [], lines: [] });
});
