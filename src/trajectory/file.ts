import { findChats } from './chats';
import { decode, encodingOf } from './decode';
import type { Encoding } from './decode';
import { detect, headSize } from './detect';
import type { Detected } from './detect';
import type { Framing } from './framing';
import { findLines } from './lines';
import type { ReadOptions } from './options';
import { readText } from './read';
import type { ByteSource, FileKind, Format, RecordRange, RecordResult } from './records';
import { findValues } from './values';
import { visible } from './visible';

export type { ReadOptions } from './options';

/** A file of trajectories: what it is, where its records stand, and each of them on demand. */
export interface TrajectoryFile {
  readonly kind: FileKind;
  /** Empty for a foreign file. */
  readonly records: readonly RecordRange[];
  /** Reads and parses one record. Rejects only where the source does. */
  read(record: number, options?: ReadOptions): Promise<RecordResult>;
}

/**
 * Unpacks a gzip file, which cannot be read by range: what comes back can. Rejects where the file is damaged or too large, with a sentence that
 * completes "NAME …"; whoever passes it closes what it opened.
 */
export type Inflate = (source: ByteSource, signal?: AbortSignal) => Promise<ByteSource>;

/** Bytes of one record: more than an editor or a string of JavaScript should hold. */
const largestRecord = 256 * 1024 * 1024;
/** Bytes looked at where the first record is longer than the head. */
const longHead = 1024 * 1024;

/**
 * Detects by content and finds the records' boundaries without parsing them. Rejects where the source does, and with the signal's reason when it aborts;
 * a file that is no trajectory is a result, not an error. Without `inflate`, a compressed file is one that is not read.
 */
export async function openTrajectoryFile(source: ByteSource, name: string, signal?: AbortSignal, inflate?: Inflate): Promise<TrajectoryFile> {
  if (inflate !== undefined && (await isGzip(source))) {
    const inner = await inflate(source, signal).catch((error: unknown) => error as Error);
    if (inner instanceof Error) {
      signal?.throwIfAborted();
      return foreignFile(`${visible(name.split(/[\\/]/).at(-1) ?? name, true)} ${inner.message}.`);
    }
    return openTrajectoryFile(inner, name, signal);
  }
  const { file: kind, framing, encoding } = await detected(source, name);
  if (kind.kind === 'foreign') return foreignFile(kind.message);
  const records = await boundaries(source, framing, encoding, signal);
  return {
    kind,
    records,
    read: async (record, options) => {
      const range = records[record];
      if (range === undefined) return { kind: 'problem', message: `There is no record ${String(record)}; the file holds ${String(records.length)}, counted from 0.` };
      return readRange(source, range, kind.format, framing, encoding, options);
    },
  };
}

const foreignFile = (message: string): TrajectoryFile => ({ kind: { kind: 'foreign', message }, records: [], read: () => Promise.resolve({ kind: 'problem', message }) });

async function isGzip(source: ByteSource): Promise<boolean> {
  const [first, second] = await source.read(0, 2);
  return first === 0x1f && second === 0x8b;
}

/** By the head; where a first record longer than that leaves doubt, by a longer one. */
async function detected(source: ByteSource, name: string): Promise<Detected & { readonly encoding: Encoding }> {
  const size = await source.size();
  const head = await source.read(0, Math.min(size, headSize));
  const encoding = encodingOf(head);
  const found = detect(head, name, size > head.length);
  const doubt = size > head.length && (found.file.kind === 'foreign' || found.framing.kind === 'lines') && !head.includes(0x0a);
  if (!doubt) return { ...found, encoding };
  const longer = await source.read(0, Math.min(size, longHead));
  return { ...detect(longer, name, size > longer.length), encoding };
}

async function boundaries(source: ByteSource, framing: Framing, encoding: Encoding, signal?: AbortSignal): Promise<readonly RecordRange[]> {
  switch (framing.kind) {
    case 'document':
      return [{ record: 0, start: 0, end: await source.size(), line: 0 }];
    case 'lines':
      return findLines(source, encoding, signal);
    case 'values':
      return findValues(source, encoding, framing.open, signal);
    case 'chats':
      return findChats(source, encoding, signal);
  }
}

async function readRange(source: ByteSource, range: RecordRange, format: Format, framing: Framing, encoding: Encoding, options?: ReadOptions): Promise<RecordResult> {
  if (range.end - range.start > largestRecord) {
    const size = Math.round((range.end - range.start) / 1024 / 1024);
    return { kind: 'problem', message: `${lineOf(range)}: the record is ${String(size)} MB long; the most that is read is ${String(largestRecord / 1024 / 1024)} MB.` };
  }
  const { text, lossy } = decode(await source.read(range.start, range.end), encoding);
  const result = readText(text, format, options);
  if (result.kind === 'problem') return framing.kind === 'document' ? result : { ...result, message: `${lineOf(range)}: ${lowerFirst(result.message)}` };
  if (!lossy) return result;
  const message = `${lineOf(range)}: some bytes are no ${encoding.toUpperCase()}; each is read as \ufffd.`;
  const { trajectory } = result;
  return { ...result, trajectory: { ...trajectory, findings: [{ code: 'damaged', severity: 'warning', message }, ...trajectory.findings] } };
}

const lineOf = (range: RecordRange): string => `Line ${String(range.line + 1)}`;
const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
