import { InflateError } from '../inflate';
import type { Unpackers } from '../inflate';
import type { ByteSource, RecordRange } from '../records';
import { brief } from '../visible';

/** One entry of a ZIP archive, as its headers describe it. */
export interface ZipEntry {
  /** As the archive has it, for people alone: never a path that is followed. */
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  /** Bytes of its data in the archive. */
  readonly packed: number;
  /** Bytes that it says it unpacks to; absent: the archive breaks off before it says so. */
  readonly size?: number;
  /** CRC-32 of what it unpacks to; absent as `size` is. */
  readonly crc?: number;
  /** Where its own header begins. */
  readonly at: number;
  /** Why its data cannot be trusted: it shares it with another entry, or the archive breaks off in it. */
  readonly flaw?: 'overlaps' | 'cut';
}

/** Bytes of an entry's own header before its name. */
export const headerSize = 30;
export const headerMark = 0x04034b50;

const methods: Readonly<Record<number, 'stored' | 'deflate' | 'zstd'>> = { 0: 'stored', 8: 'deflate', 93: 'zstd' };

export const packingOf = ({ method }: ZipEntry): 'stored' | 'deflate' | 'zstd' | undefined => methods[method];

/** Why an entry is not read, without looking at its data; completes "NAME …". `undefined`: it may be. @param most bytes */
export function whyNotRead(entry: ZipEntry, most: number): string | undefined {
  if (entry.encrypted) return 'is encrypted; unpack the archive with its password and open the result';
  if (entry.flaw === 'overlaps') return 'shares its bytes with another entry, as entries of archives that are made to fill a disk do; it is not unpacked';
  if (packingOf(entry) === undefined) return `is compressed in a way that is not read here (method ${String(entry.method)}); unpack the archive and open the result`;
  const size = Math.max(entry.size ?? 0, entry.packed);
  if (size > most) {
    return `is ${megabytes(size)} long; the most that is read out of an archive is ${megabytes(most)}, so unpack it and open the result`;
  }
  return undefined;
}

export const megabytes = (bytes: number): string => `${String(Math.round(bytes / 1024 / 1024))} MB`;

/** An entry's name for a message. */
export const label = (name: string): string => brief(name, 120);

export const rangeOf = ({ at, packed }: ZipEntry, record: number): RecordRange => ({ record, start: at, end: at + packed, line: 0 });

/** Where the data of an entry stands in the archive, as far as that goes. Rejects with InflateError. */
export async function dataOf(source: ByteSource, { at, packed }: ZipEntry): Promise<{ readonly start: number; readonly end: number }> {
  const size = await source.size();
  const header = at < size ? await source.read(at, at + headerSize) : new Uint8Array();
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (header.length < headerSize || view.getUint32(0, true) !== headerMark) throw new InflateError('has no header where the archive says it is; the archive is damaged');
  const start = at + headerSize + view.getUint16(26, true) + view.getUint16(28, true);
  return { start, end: Math.max(start, Math.min(size, start + packed)) };
}

export interface Unpacked {
  readonly bytes: Uint8Array;
  /** The archive's checksum is that of these bytes. */
  readonly sound: boolean;
}

/** The content of an entry, in memory. Rejects with InflateError, and where the source does. @param most bytes */
export async function readEntry(source: ByteSource, entry: ZipEntry, unpackers: Unpackers, most: number): Promise<Unpacked> {
  const why = whyNotRead(entry, most);
  if (why !== undefined) throw new InflateError(why);
  const { start, end } = await dataOf(source, entry);
  const bytes = await source.read(start, end);
  const packing = packingOf(entry);
  const { size } = entry;
  const content = packing === 'stored' || packing === undefined ? bytes : await unpackers.unpackEntry({ bytes, packing, most, ...(size === undefined ? {} : { size }) });
  return { bytes: content, sound: entry.flaw === undefined && (entry.crc === undefined || unpackers.checksum(content) === entry.crc) };
}
