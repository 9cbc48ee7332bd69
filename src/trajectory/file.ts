import { ChatScanner } from './chats';
import { decode, encodingOf } from './decode';
import type { Encoding } from './decode';
import { detect, headSize } from './detect';
import type { Detected } from './detect';
import type { Dialect } from './dialect';
import type { Framing } from './framing';
import { InflateError } from './inflate';
import type { Unpackers } from './inflate';
import { growing } from './growing';
import { LineScanner } from './lines';
import type { ReadOptions } from './options';
import { readPart, readText } from './read';
import { largestRecord, noRecord, problemAt } from './records';
import type { ByteSource, FileKind, Format, RecordRange, RecordResult } from './records';
import { Rollouts } from './rollouts';
import { scanRecords } from './scan';
import type { RecordScanner } from './scan';
import { ValueScanner } from './values';
import { brief } from './visible';
import { isZip, noSamples, openArchive } from './zip/archive';

export type { ReadOptions } from './options';

/** A file of trajectories: what it is, where its records stand, and each of them on demand. */
export interface TrajectoryFile {
  readonly kind: FileKind;
  /** Empty for a foreign file. */
  readonly records: readonly RecordRange[];
  /** Reads and parses one record. Rejects only where the source does. */
  read(record: number, options?: ReadOptions): Promise<RecordResult>;
  /** A record as it stands in the file, decoded; at most so many bytes of it. Empty: there is none of this number. */
  raw(record: number, most?: number): Promise<string>;
  /**
   * Only where records are lines: looks for those appended since, and at the last one again. `false`: the file is no longer the one that was opened.
   * Not while another call runs.
   */
  grow?(signal?: AbortSignal): Promise<boolean>;
}

/** Bytes looked at where the first record is longer than the head. */
const longHead = 1024 * 1024;

export interface OpenOptions {
  /** The user's own, by whose tags rollouts are told too. */
  readonly dialects?: readonly Dialect[];
  /** Without them, a compressed file is one that is not read. */
  readonly unpackers?: Unpackers;
  /**
   * While boundaries are still being found, after each piece: the file with the records found so far, and how many bytes are read. The search goes on
   * when it resolves, so that whoever shows records shows the first before the rest is read.
   */
  readonly found?: (file: TrajectoryFile, bytes: number) => void | Promise<void>;
}

/**
 * Detects by content and finds the records' boundaries without parsing them. Rejects where the source does, and with the signal's reason when it aborts;
 * a file that is no trajectory is a result, not an error.
 */
export async function openTrajectoryFile(source: ByteSource, name: string, signal?: AbortSignal, options: OpenOptions = {}): Promise<TrajectoryFile> {
  const { unpackers, found, dialects = [] } = options;
  const packed = unpackers === undefined ? undefined : await openPacked(source, name, unpackers, dialects, signal, found);
  if (packed !== undefined) return packed;
  const { file: kind, framing, encoding } = await detected(source, name, dialects);
  if (kind.kind === 'foreign') return foreignFile(kind.message);
  const scanner = scannerOf(framing, encoding);
  const rows = scanner?.records ?? [{ record: 0, start: 0, end: await source.size(), line: 0 }];
  const rollouts = framing.kind === 'rows' ? new Rollouts(source, rows, encoding) : undefined;
  const records = rollouts?.records ?? rows;
  const file: TrajectoryFile = {
    kind,
    records,
    read: async (record, readOptions) => {
      const range = records[record];
      if (range === undefined) return noRecord(record, records.length);
      return readRange(source, range, kind.format, framing, encoding, rollouts, readOptions);
    },
    raw: async (record, most = largestRecord) => {
      const { start, end } = records[record] ?? { start: 0, end: 0 };
      return decode(await source.read(start, Math.min(end, start + most)), encoding).text;
    },
  };
  const tell = async (bytes: number): Promise<void> => {
    await rollouts?.follow(signal);
    await found?.(file, bytes);
  };
  if (scanner !== undefined) await scanRecords(source, scanner, signal, tell);
  await rollouts?.follow(signal);
  if (kind.format === 'inspect' && records.length === 0) return foreignFile(`${shownName(name)} ${noSamples}.`);
  if (!(scanner instanceof LineScanner)) return file;
  const grow = await growing(source, scanner.records, encoding);
  return { ...file, grow: rollouts === undefined ? grow : async (signal) => (await grow(signal)) && rollouts.again(signal) };
}

/** A file that is packed, or an archive; `undefined`: it is neither. */
async function openPacked(source: ByteSource, name: string, unpackers: Unpackers, dialects: readonly Dialect[], signal?: AbortSignal, found?: OpenOptions['found']): Promise<TrajectoryFile | undefined> {
  const shown = shownName(name);
  if (await isZip(source)) {
    const archive = await openArchive(source, unpackers, (inner, innerName) => openTrajectoryFile(inner, innerName, signal, { dialects }), signal);
    return typeof archive === 'string' ? foreignFile(`${shown} ${archive}.`) : archive;
  }
  if (!(await isGzip(source))) return undefined;
  const inner = await unpacked(unpackers, source, signal);
  if (inner instanceof InflateError) return foreignFile(`${shown} ${inner.message}.`);
  // The copy is of one moment: it does not grow.
  const { kind, records, read, raw } = await openTrajectoryFile(inner, name, signal, { dialects, ...(found === undefined ? {} : { found }) });
  return { kind, records, read, raw };
}

const shownName = (name: string): string => brief(name.split(/[\\/]/).at(-1) ?? name, 255);

const foreignFile = (message: string): TrajectoryFile => ({ kind: { kind: 'foreign', message }, records: [], read: () => Promise.resolve({ kind: 'problem', message }), raw: () => Promise.resolve('') });

async function unpacked({ inflate }: Unpackers, source: ByteSource, signal?: AbortSignal): Promise<ByteSource | InflateError> {
  try {
    return await inflate(source, signal);
  } catch (error) {
    if (error instanceof InflateError) return error;
    throw error;
  }
}

async function isGzip(source: ByteSource): Promise<boolean> {
  const [first, second] = await source.read(0, 2);
  return first === 0x1f && second === 0x8b;
}

/** By the head; where that tells nothing, or a first record longer than it leaves doubt, by a longer one. */
async function detected(source: ByteSource, name: string, own: readonly Dialect[]): Promise<Detected & { readonly encoding: Encoding }> {
  const size = await source.size();
  const head = await source.read(0, Math.min(size, headSize));
  const encoding = encodingOf(head);
  const found = detect(head, name, size > head.length, own);
  const doubt = size > head.length && (found.file.kind === 'foreign' || (found.framing.kind === 'lines' && !head.includes(0x0a)));
  if (!doubt) return { ...found, encoding };
  const longer = await source.read(0, Math.min(size, longHead));
  return { ...detect(longer, name, size > longer.length, own), encoding };
}

/** `undefined`: the whole file is one record. */
function scannerOf(framing: Framing, encoding: Encoding): RecordScanner | undefined {
  switch (framing.kind) {
    case 'document':
      return undefined;
    case 'lines':
      return new LineScanner(encoding);
    case 'values':
      return new ValueScanner(framing.open, encoding, framing.key);
    case 'chats':
      return new ChatScanner(encoding);
    case 'rows':
      return scannerOf(framing.rows, encoding);
  }
}

async function readRange(source: ByteSource, range: RecordRange, format: Format, framing: Framing, encoding: Encoding, rollouts?: Rollouts, options?: ReadOptions): Promise<RecordResult> {
  if (range.end - range.start > largestRecord) {
    const size = Math.round((range.end - range.start) / 1024 / 1024);
    return { kind: 'problem', message: `${lineOf(range)}: the record is ${String(size)} MB long; the most that is read is ${String(largestRecord / 1024 / 1024)} MB.` };
  }
  const { result, lossy } = await readWithin(source, range, format, encoding, rollouts, options);
  if (result.kind === 'problem') return framing.kind === 'document' ? result : problemAt(lineOf(range), result);
  if (!lossy) return result;
  const message = `${lineOf(range)}: some bytes are no ${encoding.toUpperCase()}; each is read as \ufffd.`;
  const { trajectory } = result;
  return { ...result, trajectory: { ...trajectory, findings: [{ code: 'damaged', severity: 'warning', message }, ...trajectory.findings] } };
}

async function readWithin(source: ByteSource, range: RecordRange, format: Format, encoding: Encoding, rollouts?: Rollouts, options?: ReadOptions): Promise<{ readonly result: RecordResult; readonly lossy: boolean }> {
  if (rollouts !== undefined && range.part !== undefined) {
    const { row, lossy } = await rollouts.rowOf(range);
    return { result: readPart(row, range.part, format, options), lossy };
  }
  const { text, lossy } = decode(await source.read(range.start, range.end), encoding);
  return { result: readText(text, format, options), lossy };
}

const lineOf = ({ line, part }: RecordRange): string => `Line ${String(line + 1)}${part === undefined ? '' : `, rollout ${String(part + 1)}`}`;
