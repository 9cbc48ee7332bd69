import type { TrajectoryFile } from '../file';
import { InflateError } from '../inflate';
import type { Unpackers } from '../inflate';
import type { ByteSource, RecordRange, RecordResult } from '../records';
import { dataOf, label, packingOf, rangeOf, readEntry, whyNotRead } from './entry';
import type { ZipEntry } from './entry';

/** Opens a file that was taken out of an archive; archives within it stay closed. */
export type OpenInner = (source: ByteSource, name: string) => Promise<TrajectoryFile>;

/** Files of an archive that are looked into. */
const mostFiles = 100;
/** Bytes that all of them together may unpack to, and one that is unpacked in memory. */
const largest = 4 * 2 ** 30;
const largestInMemory = 256 * 1024 * 1024;

const readable = /\.(?:json|jsonl|ndjson|traj|txt)$/i;
/** What macOS adds, and files that are hidden. */
const aside = /(?:^|\/)(?:__MACOSX\/|\.[^./])/;

/** The trajectory files of an archive, their records one after the other in its order. A text: it holds none. Rejects where the source does. */
export async function innerFiles(source: ByteSource, entries: readonly ZipEntry[], unpackers: Unpackers, open: OpenInner, signal?: AbortSignal): Promise<TrajectoryFile | string> {
  const candidates = entries.filter(({ name }) => readable.test(name) && !aside.test(name));
  if (candidates.length === 0) return `is a ZIP archive with ${count(entries.length)}, none of them JSON or text; unpack it and open the trajectories in it`;
  const size = candidates.reduce((sum, entry) => sum + (entry.size ?? entry.packed), 0);
  if (candidates.length > mostFiles || size > largest) return `is a ZIP archive with ${count(candidates.length)} to look into, too many to open at once; unpack it and open those that you want`;
  const opened: Inner[] = [];
  let why: string | undefined;
  for (const entry of candidates) {
    signal?.throwIfAborted();
    const inner = await openEntry(source, entry, unpackers, open, signal);
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

async function openEntry(source: ByteSource, entry: ZipEntry, unpackers: Unpackers, open: OpenInner, signal?: AbortSignal): Promise<Inner> {
  try {
    const file = await open(await contentOf(source, entry, unpackers, signal), entry.name);
    if (file.kind.kind === 'foreign') return { why: file.kind.message.replace(/\.$/, ''), ranges: [], read: file.read, raw: file.raw };
    return { format: file.kind.format, ranges: file.records, read: async (record, options) => within(entry, await file.read(record, options)), raw: file.raw };
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    const why = `${label(entry.name)} ${error.message}`;
    return { format: 'unreadable', why, ranges: [rangeOf(entry, 0)], read: () => Promise.resolve({ kind: 'problem', message: `${why}.` }), raw: () => Promise.resolve('') };
  }
}

/** An entry as a file that is read by range. */
async function contentOf(source: ByteSource, entry: ZipEntry, unpackers: Unpackers, signal?: AbortSignal): Promise<ByteSource> {
  const why = whyNotRead(entry, largest);
  if (why !== undefined) throw new InflateError(why);
  const packing = packingOf(entry);
  if (packing === 'zstd') return inMemory((await readEntry(source, entry, unpackers, largestInMemory)).bytes);
  const { start, end } = await dataOf(source, entry);
  const packed = section(source, start, end);
  return packing === 'deflate' ? unpackers.inflate(packed, signal, 'deflate', entry.size ?? largest) : packed;
}

const inMemory = (bytes: Uint8Array): ByteSource => ({ size: () => Promise.resolve(bytes.length), read: (start, end) => Promise.resolve(bytes.subarray(start, end)) });

const section = (source: ByteSource, from: number, to: number): ByteSource => ({
  size: () => Promise.resolve(to - from),
  read: (start, end) => source.read(from + start, Math.min(to, from + end)),
});

/** A problem names the file it is in. */
function within({ name }: ZipEntry, result: RecordResult): RecordResult {
  return result.kind === 'problem' ? { ...result, message: `${label(name)}: ${result.message.charAt(0).toLowerCase()}${result.message.slice(1)}` } : result;
}

function together(files: readonly Inner[], format: string): TrajectoryFile {
  const places = files.flatMap((file) => file.ranges.map((range, record) => ({ file, range, record })));
  const records = places.map(({ range }, record) => ({ ...range, record }));
  return {
    kind: { kind: 'trajectories', format },
    records,
    read: async (record, options) => {
      const place = places[record];
      if (place === undefined) return { kind: 'problem', message: `There is no record ${String(record)}; the file holds ${String(records.length)}, counted from 0.` };
      return place.file.read(place.record, options);
    },
    raw: async (record, most) => {
      const place = places[record];
      return place === undefined ? '' : place.file.raw(place.record, most);
    },
  };
}
