import { expect, it } from 'vitest';
import { entriesByHeaders } from '../../../../src/trajectory/zip/headers';
import { makeZip } from '../../../support/makeZip';
import type { ZipFile } from '../../../support/makeZip';
import { bytesSource } from '../support';

/** The names that are found, and how many bytes were read for them. */
async function found(bytes: Uint8Array): Promise<{ readonly names: readonly string[]; readonly read: number }> {
  const source = bytesSource(bytes);
  let read = 0;
  const entries = await entriesByHeaders({
    size: () => source.size(),
    read: async (start, end) => {
      const piece = await source.read(start, end);
      read += piece.length;
      return piece;
    },
  });
  return { names: entries.map(({ name }) => name), read };
}

const files = (count: number, length: (i: number) => number, more: Partial<ZipFile>): readonly ZipFile[] =>
  Array.from({ length: count }, (_, i) => ({ name: `${String(i)}.json`, content: 'x'.repeat(length(i)), method: 0, ...more }));
const namesOf = (all: readonly ZipFile[]): readonly string[] => all.map(({ name }) => name);

it.each([
  ['many small entries', files(3_000, () => 40, { descriptor: true })],
  ['entries of several lengths', files(400, (i) => (i * 7919) % 20_011, { descriptor: true })],
  ['entries longer than a chunk', files(3, () => 2_500_000, { descriptor: true })],
])('reads no byte twice where no header gives the length: %s', async (_, all) => {
  const bytes = makeZip(all);
  const { names, read } = await found(bytes);
  expect(names).toEqual(namesOf(all));
  expect(read).toBeLessThanOrEqual(bytes.length);
});

it('reads the headers alone where they give the length', async () => {
  const all = files(20, () => 100_000, {});
  const { names, read } = await found(makeZip(all));
  expect(names).toEqual(namesOf(all));
  expect(read).toBeLessThan(10_000);
});

it('finds a header wherever it stands across two chunks', async () => {
  // The chunk begins with the data of `a`; its descriptor and the header of `b` stand before the data of `b`.
  const before = 16 + 30 + 'b'.length;
  for (let short = 0; short < 6; short++) {
    const length = (1 << 20) - before - short;
    const all: readonly ZipFile[] = ['a', 'b', 'c'].map((name) => ({ name, content: 'x'.repeat(name === 'b' ? length : 0), method: 0, descriptor: true }));
    expect((await found(makeZip(all))).names).toEqual(['a', 'b', 'c']);
  }
});

it('reads no byte twice where headers claim names that reach beyond the end', async () => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50);
  header.writeUInt16LE(0xffff, 26);
  const bytes = Buffer.concat(Array.from({ length: 1_000 }, () => header));
  const { names, read } = await found(bytes);
  expect([names, read]).toEqual([[], bytes.length]);
});
