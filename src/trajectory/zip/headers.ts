import type { ByteSource } from '../records';
import { nameIn, part, viewOf } from './directory';
import { headerMark, headerSize } from './entry';
import type { ZipEntry } from './entry';
import { ForwardReader } from './forwardReader';
import { sizesOf } from './zip64';

const entryMark = 0x02014b50;
const descriptorMark = 0x08074b50;
/** Entries of an archive that breaks off; more than any agent writes. */
const most = 100_000;

/**
 * The entries of an archive that has no list, read from their own headers one after the other: what was written before it broke off. One pass at most,
 * and only over data whose length no header gives.
 */
export async function entriesByHeaders(source: ByteSource, signal?: AbortSignal): Promise<readonly ZipEntry[]> {
  const size = await source.size();
  const reader = new ForwardReader(source, size);
  const entries: ZipEntry[] = [];
  for (let at: number | undefined = 0; at !== undefined && at + headerSize <= size && entries.length < most; ) {
    signal?.throwIfAborted();
    const header = await headerAt(reader, at);
    if (header === undefined) {
      at = await nextMark(reader, at + 1, [headerMark], signal);
      continue;
    }
    const { data, known, ...entry } = header;
    const end: number = known ? data + entry.packed : ((await nextMark(reader, data, [headerMark, entryMark, descriptorMark], signal)) ?? size);
    const packed = Math.min(end, size) - data;
    const { size: unpacked, crc, ...rest } = entry;
    entries.push({ ...rest, packed, ...(known ? { size: unpacked, crc } : {}), ...(end >= size && !(known && end === size) ? { flaw: 'cut' } : {}) });
    at = end;
  }
  return entries;
}

interface Header extends Omit<ZipEntry, 'size' | 'crc'> {
  readonly size: number;
  readonly crc: number;
  /** Where the data begins. */
  readonly data: number;
  /** Its length stands in the header, and not behind the data. */
  readonly known: boolean;
}

async function headerAt(reader: ForwardReader, at: number): Promise<Header | undefined> {
  const fixed = viewOf(await reader.range(at, at + headerSize));
  if (fixed.byteLength < headerSize || fixed.getUint32(0, true) !== headerMark) return undefined;
  const [name, extra] = [fixed.getUint16(26, true), fixed.getUint16(28, true)];
  const data = at + headerSize + name + extra;
  const whole = viewOf(await reader.range(at, data));
  if (whole.byteLength < data - at) return undefined;
  const flags = fixed.getUint16(6, true);
  const narrow = { size: fixed.getUint32(22, true), packed: fixed.getUint32(18, true), at };
  const wide = sizesOf(narrow, part(whole, headerSize + name, extra));
  return {
    name: nameIn(whole, headerSize, name),
    method: fixed.getUint16(8, true),
    encrypted: (flags & 1) === 1,
    crc: fixed.getUint32(14, true),
    ...wide,
    at,
    data,
    known: (flags & 8) === 0 || wide.packed > 0,
  };
}

/** Where the next of these marks stands. */
async function nextMark(reader: ForwardReader, from: number, marks: readonly number[], signal?: AbortSignal): Promise<number | undefined> {
  for (let at = from; ; ) {
    signal?.throwIfAborted();
    const bytes = await reader.chunk(at, 4);
    if (bytes.length < 4) return undefined;
    const view = viewOf(bytes);
    for (let i = bytes.indexOf(0x50); i >= 0 && i + 4 <= bytes.length; i = bytes.indexOf(0x50, i + 1)) {
      if (marks.includes(view.getUint32(i, true))) return at + i;
    }
    // Three bytes again, for a mark that stands across two chunks.
    at += bytes.length - 3;
  }
}
