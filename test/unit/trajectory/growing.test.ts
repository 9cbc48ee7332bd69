import { expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import type { ByteSource } from '../../../src/trajectory/records';

const line = (n: number): string => `${JSON.stringify({ input: `user\nQuestion: q${n}\nassistant\n`, output: `<answer>${n}</answer>`, gts: 'g' })}\n`;

function growingSource(text: string): { readonly source: ByteSource; text: string; read: number } {
  const state = {
    text,
    read: 0,
    source: {
      size: async () => Buffer.byteLength(state.text),
      read: async (start: number, end: number) => {
        const bytes = Buffer.from(state.text).subarray(start, end);
        state.read += bytes.length;
        return bytes;
      },
    },
  };
  return state;
}

it('finds what was appended, reading from the last record on', async () => {
  const written = Array.from({ length: 2000 }, (_, n) => line(n)).join('');
  const half = line(2000).slice(0, 30);
  const state = growingSource(written + half);
  const file = await openTrajectoryFile(state.source, 'a.jsonl');
  expect(file.records).toHaveLength(2001);
  expect((await file.read(2000)).kind).toBe('problem');
  state.text = written + line(2000) + line(2001);
  state.read = 0;
  expect(await file.grow?.()).toBe(true);
  expect(state.read).toBeLessThan(5000);
  expect(file.records.slice(-2).map((r) => [r.record, r.line])).toEqual([[2000, 2000], [2001, 2001]]);
  expect(await file.read(2001)).toMatchObject({ kind: 'trajectory', trajectory: { question: 'q2001' } });
});

it('finds more lines at once than a call takes arguments', async () => {
  const state = growingSource(line(0));
  const file = await openTrajectoryFile(state.source, 'a.jsonl');
  state.text = line(0) + '{}\n'.repeat(300_000);
  expect(await file.grow?.()).toBe(true);
  expect(file.records).toHaveLength(300_001);
  expect(file.records.at(-1)).toMatchObject({ record: 300_000, line: 300_000 });
});

it('does not follow a file that was written anew', async () => {
  const state = growingSource(line(1));
  const file = await openTrajectoryFile(state.source, 'a.jsonl');
  state.text = line(2) + line(3);
  expect(await file.grow?.()).toBe(false);
  expect(file.records).toHaveLength(1);
});
