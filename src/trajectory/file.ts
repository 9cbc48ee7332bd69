import { decode, encodingOf } from './decode';
import type { Encoding } from './decode';
import { detectFile, headSize } from './detect';
import { findLines } from './lines';
import type { ReadOptions } from './options';
import { readNative, readVerl } from './read';
import type { ByteSource, FileKind, RecordRange, RecordResult } from './records';

export type { ReadOptions } from './options';

/** A file of trajectories: what it is, where its records stand, and each of them on demand. */
export interface TrajectoryFile {
  readonly kind: FileKind;
  /** Empty for a foreign file. */
  readonly records: readonly RecordRange[];
  /** Reads and parses one record. Rejects only where the source does. */
  read(record: number, options?: ReadOptions): Promise<RecordResult>;
}

/** Bytes of one record: more than an editor or a string of JavaScript should hold. */
const largestRecord = 256 * 1024 * 1024;

/**
 * Detects by content and finds the records' boundaries without parsing them. Rejects where the source does, and with the signal's reason when it aborts;
 * a file that is no trajectory is a result, not an error.
 */
export async function openTrajectoryFile(source: ByteSource, name: string, signal?: AbortSignal): Promise<TrajectoryFile> {
  const size = await source.size();
  const head = await source.read(0, Math.min(size, headSize));
  const kind = detectFile(head, name);
  const encoding = encodingOf(head);
  const records = kind.kind === 'foreign' ? [] : await boundaries(source, kind.format, size, encoding, signal);
  return {
    kind,
    records,
    read: async (record, options) => {
      const range = records[record];
      if (kind.kind === 'foreign') return { kind: 'problem', message: kind.message };
      if (range === undefined) return { kind: 'problem', message: `There is no record ${String(record)}; the file holds ${String(records.length)}, counted from 0.` };
      return readRange(source, range, kind.format, encoding, options);
    },
  };
}

async function boundaries(source: ByteSource, format: 'native' | 'verl', size: number, encoding: Encoding, signal?: AbortSignal): Promise<readonly RecordRange[]> {
  return format === 'native' ? [{ record: 0, start: 0, end: size, line: 0 }] : findLines(source, encoding, signal);
}

async function readRange(source: ByteSource, range: RecordRange, format: 'native' | 'verl', encoding: Encoding, options?: ReadOptions): Promise<RecordResult> {
  if (range.end - range.start > largestRecord) {
    const size = Math.round((range.end - range.start) / 1024 / 1024);
    return { kind: 'problem', message: `${lineOf(range)}: the record is ${String(size)} MB long; the most that is read is ${String(largestRecord / 1024 / 1024)} MB.` };
  }
  const bytes = await source.read(range.start, range.end);
  const { text, lossy } = decode(bytes, encoding);
  const result = format === 'native' ? readNative(text, options) : readVerl(text, options);
  if (result.kind === 'problem') return format === 'native' ? result : { ...result, message: `${lineOf(range)}: ${lowerFirst(result.message)}` };
  if (!lossy) return result;
  const message = `${lineOf(range)}: some bytes are no ${encoding.toUpperCase()}; each is read as \ufffd.`;
  const { trajectory } = result;
  return { ...result, trajectory: { ...trajectory, findings: [{ code: 'damaged', severity: 'warning', message }, ...trajectory.findings] } };
}

const lineOf = (range: RecordRange): string => `Line ${String(range.line + 1)}`;
const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
