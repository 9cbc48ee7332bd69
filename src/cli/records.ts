import { stat } from 'node:fs/promises';
import path from 'node:path';

import { nodeByteSource } from '../scoring/fileSource';
import { openUnpackers } from '../scoring/unpackers';
import type { Dialect } from '../trajectory/dialect';
import { openTrajectoryFile, type OpenOptions, type ReadOptions, type TrajectoryFile } from '../trajectory/file';
import type { RecordRange } from '../trajectory/records';

export interface OpenedFile extends TrajectoryFile {
  close(): Promise<void>;
}

/**
 * The file with its records' boundaries, or one sentence why it cannot be read.
 * @param dialects the user's own
 * @param found told of the records found so far while the file is still being searched for them; the search waits for it
 */
export async function openFile(name: string, signal: AbortSignal, dialects: readonly Dialect[] = [], found?: OpenOptions['found']): Promise<OpenedFile | string> {
  try {
    const stats = await stat(name);
    if (stats.isDirectory()) return 'This is a folder; name the files in it.';
    if (!stats.isFile()) return 'This is no regular file; write its content to one first.';
  } catch (error) {
    return whyUnreadable(error);
  }
  const source = nodeByteSource(name);
  const unpackers = openUnpackers();
  const close = async (): Promise<void> => {
    await source.close();
    await unpackers.close();
  };
  try {
    const file = await openTrajectoryFile(source, path.basename(name), signal, { unpackers, dialects, ...(found === undefined ? {} : { found }) });
    return { kind: file.kind, records: file.records, read: (record, options) => file.read(record, options), raw: (record, most) => file.raw(record, most), close };
  } catch (error) {
    await close();
    signal.throwIfAborted();
    return whyUnreadable(error);
  }
}

/** Errors of the file system, in the words of somebody who named a file. Anything else is a bug. */
function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'There is no such file.';
    case 'EACCES':
    case 'EPERM':
      return 'This user may not read the file.';
    case undefined:
      throw error;
    default:
      return `The file could not be read (${code}).`;
  }
}

/** Records that are scored together. */
export type Batch = readonly RecordRange[];

export interface Batches {
  readonly scope: 'trajectory' | 'question';
  readonly batches: readonly Batch[];
}

/**
 * Which records are scored together, in the order of each question's first record. Reads one record at a time and keeps only what names its group,
 * so that a file of any size is scored with one question's rollouts in memory.
 * @param scope absent: `question` where several records share a question
 */
export async function batch(file: TrajectoryFile, options: ReadOptions, signal: AbortSignal, scope?: 'trajectory' | 'question'): Promise<Batches> {
  if (scope === 'trajectory') return { scope, batches: file.records.map((range) => [range]) };
  const batches: RecordRange[][] = [];
  const ofGroup = new Map<string, RecordRange[]>();
  for (const range of file.records) {
    signal.throwIfAborted();
    const read = await file.read(range.record, options);
    const group = read.kind === 'trajectory' ? read.trajectory.group : undefined;
    const known = group === undefined ? undefined : ofGroup.get(group);
    if (known !== undefined) {
      known.push(range);
      continue;
    }
    const fresh = [range];
    batches.push(fresh);
    if (group !== undefined) ofGroup.set(group, fresh);
  }
  return { scope: scope ?? (batches.some((b) => b.length > 1) ? 'question' : 'trajectory'), batches };
}
