import type { TrajectoryFile } from '../file';
import { InflateError } from '../inflate';
import type { Unpackers } from '../inflate';
import { readText } from '../read';
import { largestRecord, noRecord, problemAt } from '../records';
import type { ByteSource, RecordResult } from '../records';
import { zipEntries } from './entries';
import { label, rangeOf } from './entry';
import type { ZipEntry } from './entry';
import { inspectSamples, readSample } from './inspectLog';
import type { InspectSample } from './inspectLog';
import { innerFiles } from './innerFiles';
import type { OpenInner } from './innerFiles';

/** Whether a file begins as ZIP archives do. */
export async function isZip(source: ByteSource): Promise<boolean> {
  const [p, k, a, b] = await source.read(0, 4);
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/**
 * An archive as a file of trajectories: the samples of an Inspect log, each unpacked when it is read; or the trajectory files in it, one after the
 * other. A text: why it is none, which completes "NAME …". Rejects where the source does.
 */
export async function openArchive(source: ByteSource, unpackers: Unpackers, open: OpenInner, signal?: AbortSignal): Promise<TrajectoryFile | string> {
  const found = await zipEntries(source, signal);
  if (typeof found === 'string') return found;
  const { entries, broken } = found;
  if (entries.length === 0) return broken ? 'is a ZIP archive that breaks off before its first file; copy or download it again' : 'is an empty ZIP archive';
  if (entries.some(({ name }) => /(?:^|\/)data\.pkl$/.test(name))) {
    return 'is a torch checkpoint, a ZIP archive with a Python pickle, which could run code when it is loaded, so it is never opened here; export its rollouts as JSON lines';
  }
  const samples = inspectSamples(entries);
  if (samples === undefined) return innerFiles(source, entries, unpackers, open, signal);
  if (samples.length === 0) return broken ? 'is a log of Inspect that breaks off before its first sample' : noSamples;
  return logOf(source, samples, broken, unpackers);
}

/** Completes "NAME …". */
export const noSamples = 'is a log of Inspect without samples: none had ended, or its header was saved alone';

function logOf(source: ByteSource, samples: readonly InspectSample[], broken: boolean, unpackers: Unpackers): TrajectoryFile {
  const records = samples.map(({ entry }, record) => rangeOf(entry, record));
  return {
    kind: { kind: 'trajectories', format: 'inspect' },
    records,
    read: async (record, options) => {
      const sample = samples[record];
      if (sample === undefined) return noRecord(record, records.length);
      const { name } = sample.entry;
      try {
        const { text, sound } = await readSample(source, sample, unpackers, largestRecord);
        return noted(sample.entry, readText(text, 'inspect', options), sound, broken && record === records.length - 1);
      } catch (error) {
        if (error instanceof InflateError) return { kind: 'problem', message: `${label(name)} ${error.message}.` };
        throw error;
      }
    },
    raw: async (record, most) => {
      const sample = samples[record];
      if (sample === undefined) return '';
      const { text } = await readSample(source, sample, unpackers, largestRecord).catch(unreadable);
      return most === undefined ? text : text.slice(0, most);
    },
  };
}

/** What cannot be unpacked has no text. */
function unreadable(error: unknown): { readonly text: string } {
  if (error instanceof InflateError) return { text: '' };
  throw error;
}

/** What was read, with the entry it came from and what is wrong with that. */
function noted({ name, flaw }: ZipEntry, result: RecordResult, sound: boolean, last: boolean): RecordResult {
  if (result.kind === 'problem') {
    const why = flaw === 'cut' ? 'the archive breaks off in it, and ' : sound ? '' : 'it was damaged after it was written, and ';
    return problemAt(label(name), result, why);
  }
  const notes = [
    ...(sound ? [] : [`The archive's checksum of ${label(name)} does not fit its content, which was damaged after it was written.`]),
    ...(last ? ['The archive breaks off after this record; others may have followed.'] : []),
  ];
  if (notes.length === 0) return result;
  const { trajectory } = result;
  const findings = [...notes.map((message) => ({ code: 'damaged', severity: 'warning', message }) as const), ...trajectory.findings];
  return { ...result, trajectory: { ...trajectory, findings } };
}
