import type { Encoding } from './decode';
import { LineScanner } from './lines';
import type { ByteSource, RecordRange } from './records';
import { scanRecords } from './scan';

/** Bytes at the start of the file and of its last record that tell whether it is still the same file. */
const markSize = 4096;

interface Mark {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * Follows a file of lines that is being written: each call of the result adds to `records` what was appended, reading from the last record on, whose end
 * may have been missing. The result resolves to `false` where the file was written anew; `records` is then what it was.
 */
export async function growing(source: ByteSource, records: RecordRange[], encoding: Encoding): Promise<(signal?: AbortSignal) => Promise<boolean>> {
  let marks = await marksOf(source, records);
  return async (signal) => {
    if (!(await stand(source, marks))) return false;
    const last = records.at(-1);
    const scanner = new LineScanner(encoding, last);
    await scanRecords(source, scanner, signal, undefined, last?.start);
    records.pop();
    // One by one: many were appended, more than a call takes arguments.
    for (const record of scanner.records) records.push(record);
    marks = await marksOf(source, records);
    return true;
  };
}

async function marksOf(source: ByteSource, records: readonly RecordRange[]): Promise<Mark[]> {
  const [first, last] = [records[0], records.at(-1)];
  if (first === undefined || last === undefined) return [];
  return Promise.all([first, last].map(async ({ start, end }) => ({ start, bytes: await source.read(start, Math.min(end, start + markSize)) })));
}

async function stand(source: ByteSource, marks: readonly Mark[]): Promise<boolean> {
  for (const { start, bytes } of marks) {
    const now = await source.read(start, start + bytes.length);
    if (now.length !== bytes.length || !now.every((byte, i) => byte === bytes[i])) return false;
  }
  return true;
}
