import { expect, it } from 'vitest';
import { InflateError } from '../../../../src/trajectory/inflate';
import type { Unpackers } from '../../../../src/trajectory/inflate';
import type { ByteSource } from '../../../../src/trajectory/records';
import { zipEntries } from '../../../../src/trajectory/zip/entries';
import { innerFiles } from '../../../../src/trajectory/zip/innerFiles';
import { makeZip } from '../../../support/makeZip';
import type { ZipFile } from '../../../support/makeZip';
import { bytesSource } from '../support';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;

/** What was asked of the unpackers, and what each record of the archive is. `out`: the bytes that come out of one entry after the other. */
async function opened(files: readonly ZipFile[], out: readonly (number | InflateError)[], cut = false): Promise<{ readonly most: readonly number[]; readonly said: readonly string[] }> {
  const bytes = makeZip(files);
  const source = bytesSource(cut ? bytes.subarray(0, bytes.length - 30) : bytes);
  const most: number[] = [];
  const next = (allowed: number): number => {
    const came = out[most.length] ?? 0;
    most.push(allowed);
    if (came instanceof InflateError) throw came;
    if (came > allowed) throw new InflateError('unpacks to more than the archive says', allowed + 1);
    return came;
  };
  const unpackers: Unpackers = {
    inflate: async (_source, _signal, _packing, allowed = 0) => sized(next(allowed)),
    unpackEntry: async ({ most: allowed }) => new Uint8Array(next(allowed)),
    checksum: () => 0,
  };
  const found = await zipEntries(source);
  if (typeof found === 'string') throw new Error(found);
  const read = (): Promise<{ kind: 'problem'; message: string }> => Promise.resolve({ kind: 'problem', message: 'It was opened.' });
  const file = await innerFiles(source, found.entries, unpackers, async () => ({ kind: { kind: 'trajectories', format: 'messages' }, records: [{ record: 0, start: 0, end: 1, line: 0 }], read, raw: async () => '' }));
  if (typeof file === 'string') throw new Error(file);
  const results = await Promise.all(file.records.map(({ record }) => file.read(record)));
  return { most, said: results.map((result) => (result.kind === 'problem' ? result.message : '')) };
}

/** A file of a size, which nothing reads. */
const sized = (size: number): ByteSource => ({ size: () => Promise.resolve(size), read: () => Promise.resolve(new Uint8Array()) });
const file = (name: string, more: Partial<ZipFile> = {}): ZipFile => ({ name: `${name}.jsonl`, content: '{}', ...more });

it('of an archive without sizes, what came out of one file is no room for the next', async () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(name, { descriptor: true }));
  const { most, said } = await opened(files, [3 * gigabyte, gigabyte / 2, gigabyte, 1], true);
  expect(most).toEqual([4 * gigabyte, gigabyte, gigabyte / 2]);
  const noRoom = 'is more than still fits into the 4096 MB that are unpacked of one archive; unpack it and open the result.';
  expect(said).toEqual(['a.jsonl: it was opened.', 'b.jsonl: it was opened.', `c.jsonl ${noRoom}`, `d.jsonl ${noRoom}`, `e.jsonl ${noRoom}`]);
});

it('what a damaged file left on the disk counts', async () => {
  const files = ['a', 'b'].map((name) => file(name, { descriptor: true }));
  const { most, said } = await opened(files, [new InflateError('is damaged', 3 * gigabyte), 1], true);
  expect(most).toEqual([4 * gigabyte, gigabyte]);
  expect(said).toEqual(['a.jsonl is damaged.', 'b.jsonl: it was opened.']);
});

it('in memory they share one room, whatever each may take', async () => {
  const files = [150, 100, 50, 6].map((size, i) => file(String(i), { method: 93, packed: new Uint8Array(1), size: size * megabyte }));
  const { most, said } = await opened(files, [150 * megabyte, 100 * megabyte, 6 * megabyte]);
  expect(most).toEqual([256 * megabyte, 106 * megabyte, 6 * megabyte]);
  expect(said[2]).toBe('2.jsonl is more than still fits into the 256 MB that are unpacked of one archive; unpack it and open the result.');
  expect(said[3]).toBe('3.jsonl: it was opened.');
});
