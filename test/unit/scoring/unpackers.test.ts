import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { openUnpackers } from '../../../src/scoring/unpackers';
import { openTrajectoryFile } from '../../../src/trajectory/file';
import { bytesSource } from '../trajectory/support';

const row = (output: string): string => `${JSON.stringify({ input: 'Question: q', output })}\n`;
const text = row('a') + row('b'.repeat(5_000));
let unpacker = openUnpackers();
afterEach(() => unpacker.close());

const read = async (bytes: Uint8Array): Promise<unknown[]> => {
  const file = await openTrajectoryFile(bytesSource(bytes), 'x.jsonl.gz', undefined, { unpackers: unpacker });
  if (file.kind.kind === 'foreign') return [file.kind.message];
  return Promise.all(file.records.map(async ({ record }) => (await file.read(record)).kind));
};

it('reads packed files, and removes its copies', async () => {
  expect(await read(gzipSync(text))).toEqual(['trajectory', 'trajectory']);
});

it('keeps what a file that breaks off still holds', async () => {
  expect(await read(gzipSync(text, { level: 0 }).subarray(0, 200))).toEqual(['trajectory', 'trajectory']);
});

it('says in one sentence that a file is damaged or too large', async () => {
  const damaged = gzipSync(text);
  damaged.fill(0xff, 12, 40);
  expect(await read(damaged)).toEqual(['x.jsonl.gz is compressed with gzip and damaged; what it holds cannot be unpacked.']);
  unpacker = openUnpackers(100);
  expect(await read(gzipSync(text))).toEqual([expect.stringMatching(/^x\.jsonl\.gz unpacks to more than/)]);
});

it('says how much had come out of what it refuses', async () => {
  await expect(unpacker.inflate(bytesSource(gzipSync('x'.repeat(500_000))), undefined, 'gzip', 1_000)).rejects.toMatchObject({ name: 'InflateError', out: expect.toSatisfy((out: number) => out > 1_000 && out < 500_000) as number });
});
