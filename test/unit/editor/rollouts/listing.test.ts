import { expect, it } from 'vitest';
import { Listing, type ListingSource } from '../../../../src/editor/rollouts/listing';
import { rowOf } from '../../../../src/editor/rollouts/row';
import { openTrajectoryFile, type TrajectoryFile } from '../../../../src/trajectory/file';
import type { ByteSource, RecordRange } from '../../../../src/trajectory/records';

const ranges = (n: number): RecordRange[] => Array.from({ length: n }, (_, record) => ({ record, start: record, end: record + 1, line: record }));

function fakeFile(records: RecordRange[]): TrajectoryFile {
  return { kind: { kind: 'trajectories', format: 'verl' }, records, read: async (record) => ({ kind: 'problem', message: `Line ${record + 1}: no JSON.` }), raw: async () => '' };
}

const sourceOf = (open: ListingSource['open']): ListingSource => ({
  open,
  options: async () => ({}),
  rowOf: (record, result) => rowOf(record, result, 'f1'),
  reason: () => 'It cannot be read.',
});

it('lists records while others are still being found', async () => {
  const records = ranges(3);
  const file = fakeFile(records);
  let finish: (file: TrajectoryFile) => void = () => undefined;
  const seen: string[] = [];
  const listing = new Listing(
    sourceOf((found) => {
      void found(file);
      return new Promise((resolve) => (finish = resolve));
    }),
    () => {
      const { progress } = listing;
      if (progress.kind === 'reading') seen.push(`${progress.read} of ${progress.of}${progress.searching ? ' so far' : ''}`);
      if (listing.rows.length !== 3) return;
      records.push(...ranges(5).slice(3));
      finish(file);
    },
  );
  listing.start();
  await listing.settled();
  expect(seen).toEqual(['1 of 3 so far', '2 of 3 so far', '3 of 3 so far', '4 of 5', '5 of 5']);
  expect(listing.progress).toEqual({ kind: 'read' });
  expect(listing.rows.map((row) => row.record)).toEqual([0, 1, 2, 3, 4]);
});

it('lists the first records of a large file before 1 % of it is read', async () => {
  const line = Buffer.from(`${JSON.stringify({ input: 'user\nq\nassistant\n', output: `<think>${'a'.repeat(60_000)}</think>\n<answer>Paris</answer>`, gts: 'Paris', score: 1, step: 1 })}\n`);
  const repeated = Buffer.alloc(2 ** 21, line);
  const size = 200 * 2 ** 20;
  let furthest = 0;
  const source: ByteSource = {
    size: async () => size,
    read: async (start, end) => {
      furthest = Math.max(furthest, end);
      return repeated.subarray(start % line.length, (start % line.length) + end - start);
    },
  };
  let atFirst: number | undefined;
  const listing = new Listing(
    sourceOf((found) => openTrajectoryFile(source, 'x.jsonl', undefined, { found })),
    () => {
      if (listing.rows.length > 0) atFirst ??= furthest;
      if (listing.rows.length >= 50) listing.stop();
    },
  );
  listing.start();
  await listing.settled();
  expect(listing.rows[0]).toMatchObject({ record: 0, question: 'q', outcome: { kind: 'value' } });
  expect(atFirst).toBeLessThan(size / 100);
});

it('stops, and goes on from there', async () => {
  const listing: Listing = new Listing(
    sourceOf(async () => fakeFile(all)),
    () => listing.rows.length === 4 && listing.progress.kind === 'reading' && listing.stop(),
  );
  const all = ranges(10);
  listing.start();
  await listing.settled();
  expect(listing.progress).toEqual({ kind: 'partial', read: 4, of: 10 });
  listing.more();
  await listing.settled();
  expect(listing.progress).toEqual({ kind: 'partial', read: 4, of: 10 });
});

it('follows a growing file from its last record on', async () => {
  const records = ranges(3);
  let reads = 0;
  const file = { ...fakeFile(records), read: async () => ((reads += 1), { kind: 'problem' as const, message: 'no.' }) };
  const listing = new Listing(sourceOf(async () => file), () => undefined);
  listing.start();
  await listing.settled();
  records.push(...ranges(4).slice(3));
  listing.follow();
  await listing.settled();
  expect([listing.rows.length, reads]).toEqual([4, 5]);
});

it('says why a file is not listed', async () => {
  const bytes = Buffer.from('PK\x03\x04');
  const zip = new Listing(sourceOf(() => openTrajectoryFile({ size: async () => 4, read: async (a, b) => bytes.subarray(a, b) }, 'a.zip')), () => undefined);
  zip.start();
  await zip.settled();
  expect(zip.progress.kind).toBe('refused');
  const gone = new Listing(sourceOf(() => Promise.reject(new Error('ENOENT'))), () => undefined);
  gone.start();
  await gone.settled();
  expect(gone.progress).toEqual({ kind: 'refused', message: 'It cannot be read.' });
});

it('begins once, however often it is asked to', async () => {
  let opened = 0;
  const listing = new Listing(sourceOf(async () => ((opened += 1), fakeFile(ranges(2)))), () => undefined);
  listing.start();
  listing.start();
  void listing.reached(1);
  await listing.settled();
  expect([opened, listing.rows.length]).toEqual([1, 2]);
});

it('shows what it had until that is read anew', async () => {
  let file = fakeFile(ranges(3));
  const counts: number[] = [];
  const listing: Listing = new Listing(
    sourceOf(async () => {
      counts.push(listing.rows.length);
      return file;
    }),
    () => counts.push(listing.rows.length),
  );
  listing.start();
  await listing.settled();
  counts.length = 0;
  const [before] = listing.rows;
  file = { ...file, read: async () => (counts.push(listing.rows.length), { kind: 'problem', message: 'Anew.' }) };
  listing.follow();
  await listing.settled();
  file = { ...file, records: ranges(3) };
  listing.follow();
  await listing.settled();
  expect(new Set(counts)).toEqual(new Set([3]));
  expect([before?.problem, listing.rows[0]?.problem]).toEqual(['Line 1: no JSON.', 'Anew.']);
});

it.each([1, 2])('keeps its rows until as many are read by what is set now, however often that changes: %i times', async (times) => {
  let words = 'As it was.';
  let resets = 0;
  const counts: number[] = [];
  const listing: Listing = new Listing(
    // A file of which other dialects are asked for is opened anew.
    sourceOf(async () => ({ ...fakeFile(ranges(600)), read: async () => ({ kind: 'problem', message: words }) })),
    () => {
      counts.push(listing.rows.length);
      const { progress } = listing;
      if (progress.kind === 'reading' && progress.read === 100 && resets > 0 && resets < times) reset();
    },
  );
  const reset = (): void => {
    words = `As it is ${++resets}.`;
    listing.reset();
  };
  listing.start();
  await listing.settled();
  counts.length = 0;
  reset();
  await listing.settled();
  expect([resets, new Set(counts), listing.progress.kind]).toEqual([times, new Set([600]), 'read']);
  expect(new Set(listing.rows.map(({ problem }) => problem))).toEqual(new Set([words]));
});

it('shows no row that was read by what is no longer set, where it is stopped', async () => {
  let reads = 0;
  const listing: Listing = new Listing(
    sourceOf(async () => ({ ...fakeFile(ranges(9)), read: async () => ({ kind: 'problem', message: `Reading ${++reads}.` }) })),
    () => reads === 12 && listing.progress.kind === 'reading' && listing.stop(),
  );
  listing.start();
  await listing.settled();
  listing.reset();
  await listing.settled();
  expect([listing.progress, listing.rows.map(({ problem }) => problem)]).toEqual([{ kind: 'partial', read: 3, of: 9 }, ['Reading 10.', 'Reading 11.', 'Reading 12.']]);
});

it.each([
  ['holds none', fakeFile([]), 'read'],
  ['is of another kind', { ...fakeFile([]), kind: { kind: 'foreign', message: 'It is a picture.' } as const }, 'refused'],
])('has none of the rows of a file that was written anew and %s', async (_, anew, kind) => {
  let file = fakeFile(ranges(3));
  const listing = new Listing(sourceOf(async () => file), () => undefined);
  listing.start();
  await listing.settled();
  file = anew;
  listing.follow();
  await listing.settled();
  expect([listing.rows.length, listing.progress.kind]).toEqual([0, kind]);
});

it.each(['before', 'after'])('stays stopped where the file changed just %s', async (when) => {
  const listing = new Listing(sourceOf(async () => fakeFile(ranges(3))), () => undefined);
  listing.start();
  await listing.settled();
  listing.reset();
  if (when === 'before') listing.follow();
  listing.stop();
  if (when === 'after') listing.follow();
  await listing.settled();
  expect(listing.progress.kind).toBe('partial');
});

it.each(['read', 'partial'])('has no rows of a file that is gone, and reads it when it is back, where the list was %s', async (kind) => {
  let isThere = true;
  const listing = new Listing(sourceOf(async () => (isThere ? fakeFile(ranges(3)) : Promise.reject(new Error('ENOENT')))), () => undefined);
  listing.start();
  await listing.settled();
  if (kind === 'partial') {
    listing.reset();
    listing.stop();
    await listing.settled();
  }
  expect(listing.progress.kind).toBe(kind);
  isThere = false;
  listing.gone();
  await listing.settled();
  expect([listing.rows.length, listing.progress]).toEqual([0, { kind: 'refused', message: 'It cannot be read.' }]);
  isThere = true;
  listing.follow();
  await listing.settled();
  expect([listing.rows.length, listing.progress.kind]).toEqual([3, 'read']);
});

it('follows a file that was read whole when another was stopped', async () => {
  const records = ranges(1);
  const listing = new Listing(sourceOf(async () => fakeFile(records)), () => undefined);
  listing.start();
  await listing.settled();
  listing.stop();
  records.push(...ranges(3).slice(1));
  listing.follow();
  await listing.settled();
  expect([listing.rows.length, listing.progress.kind]).toEqual([3, 'read']);
});
