import type { TrajectoryFile } from '../file';
import { InflateError } from '../inflate';
import type { Unpackers } from '../inflate';
import { noRecord, problemAt } from '../records';
import type { ByteSource, RecordRange, RecordResult } from '../records';
import { dataOf, label, megabytes, packingOf, rangeOf, readEntry, whyNotRead } from './entry';
import type { ZipEntry } from './entry';

/** Opens a file that was taken out of an archive; archives within it stay closed. */
export type OpenInner = (source: ByteSource, name: string) => Promise<TrajectoryFile>;

/** Files of an archive that are looked into. */
const mostFiles = 100;
/** Bytes that all of them together may unpack to, on disk and in memory. */
const largest = { disk: 4 * 2 ** 30, memory: 256 * 1024 * 1024 } as const;

const readable = /\.(?:json|jsonl|ndjson|traj|txt)$/i;
/** What macOS adds, and files that are hidden. */
const aside = /(?:^|\/)(?:__MACOSX\/|\.[^./])/;

/** The trajectory files of an archive, their records one after the other in its order. A text: it holds none. Rejects where the source does. */
export async function innerFiles(source: ByteSource, entries: readonly ZipEntry[], unpackers: Unpackers, open: OpenInner, signal?: AbortSignal): Promise<TrajectoryFile | string> {
  const candidates = entries.filter(({ name }) => readable.test(name) && !aside.test(name));
  if (candidates.length === 0) return `is a ZIP archive with ${count(entries.length)}, none of them JSON or text; unpack it and open the trajectories in it`;
  const size = candidates.reduce((sum, entry) => sum + (entry.size ?? entry.packed), 0);
  if (candidates.length > mostFiles || size > largest.disk) return `is a ZIP archive with ${count(candidates.length)} to look into, too many to open at once; unpack it and open those that you want`;
  const opened: Inner[] = [];
  const contentOf = contents(source, unpackers, signal);
  let why: string | undefined;
  for (const entry of candidates) {
    signal?.throwIfAborted();
    const inner = await openEntry(entry, contentOf, open);
    if (inner.format === undefined) why ??= inner.why;
    else opened.push(inner);
  }
  const format = opened.find((inner) => inner.format !== 'unreadable')?.format;
  if (format === undefined) return `is a ZIP archive without a trajectory that can be read: ${opened[0]?.why ?? why ?? 'there is none'}`;
  return together(opened, format);
}

const count = (n: number): string => (n === 1 ? '1 file' : `${String(n)} files`);

/** A file of the archive. `format` is undefined where it is of another kind, and `unreadable` where it cannot be unpacked: one record that says so. */
interface Inner {
  readonly format?: string;
  /** Why it is no trajectory, without the full stop. */
  readonly why?: string;
  readonly ranges: readonly RecordRange[];
  readonly read: TrajectoryFile['read'];
  readonly raw: TrajectoryFile['raw'];
}

async function openEntry(entry: ZipEntry, contentOf: ContentOf, open: OpenInner): Promise<Inner> {
  try {
    const file = await open(await contentOf(entry), entry.name);
    if (file.kind.kind === 'foreign') return { why: file.kind.message.replace(/\.$/, ''), ranges: [], read: file.read, raw: file.raw };
    return { format: file.kind.format, ranges: file.records, read: async (record, options) => within(entry, await file.read(record, options)), raw: file.raw };
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    const why = `${label(entry.name)} ${error.message}`;
    return { format: 'unreadable', why, ranges: [rangeOf(entry, 0)], read: () => Promise.resolve({ kind: 'problem', message: `${why}.` }), raw: () => Promise.resolve('') };
  }
}

/** An entry as a file that is read by range. Rejects with InflateError, and where the source does. */
type ContentOf = (entry: ZipEntry) => Promise<ByteSource>;

/** Entries one after the other, as long as what came out of them leaves room for more: what they say of their lengths is not believed. */
function contents(source: ByteSource, unpackers: Unpackers, signal?: AbortSignal): ContentOf {
  const left: { disk: number; memory: number } = { ...largest };
  return async (entry) => {
    const packing = packingOf(entry);
    const where = packing === 'zstd' ? 'memory' : 'disk';
    const why = whyNotRead(entry, largest[where]);
    if (why !== undefined) throw new InflateError(why);
    const noRoom = `is more than still fits into the ${megabytes(largest[where])} that are unpacked of one archive; unpack it and open the result`;
    if (packing !== 'stored' && (entry.size ?? 1) > left[where]) throw new InflateError(noRoom);
    if (packing === 'zstd') {
      const { bytes } = await readEntry(source, entry, unpackers, left.memory);
      left.memory -= bytes.length;
      return inMemory(bytes);
    }
    const { start, end } = await dataOf(source, entry);
    const packed = section(source, start, end);
    if (packing === 'stored') return packed;
    const most = Math.min(entry.size ?? left.disk, left.disk);
    try {
      const content = await unpackers.inflate(packed, signal, 'deflate', most);
      left.disk -= await content.size();
      return content;
    } catch (error) {
      if (!(error instanceof InflateError)) throw error;
      left.disk -= Math.min(left.disk, error.out);
      throw entry.size === undefined && error.out > most ? new InflateError(noRoom) : error;
    }
  };
}

const inMemory = (bytes: Uint8Array): ByteSource => ({ size: () => Promise.resolve(bytes.length), read: (start, end) => Promise.resolve(bytes.subarray(start, end)) });

const section = (source: ByteSource, from: number, to: number): ByteSource => ({
  size: () => Promise.resolve(to - from),
  read: (start, end) => source.read(from + start, Math.min(to, from + end)),
});

/** A problem names the file it is in. */
const within = ({ name }: ZipEntry, result: RecordResult): RecordResult => (result.kind === 'problem' ? problemAt(label(name), result) : result);

function together(files: readonly Inner[], format: string): TrajectoryFile {
  const places = files.flatMap((file) => file.ranges.map((range, record) => ({ file, range, record })));
  const records = places.map(({ range }, record) => ({ ...range, record }));
  return {
    kind: { kind: 'trajectories', format },
    records,
    read: async (record, options) => {
      const place = places[record];
      if (place === undefined) return noRecord(record, records.length);
      return place.file.read(place.record, options);
    },
    raw: async (record, most) => {
      const place = places[record];
      return place === undefined ? '' : place.file.raw(place.record, most);
    },
  };
}
