import type { ByteSource } from '../records';
import type { ZipEntry } from './entry';
import { sizesOf } from './zip64';

const marks = { end: 0x06054b50, signature: 0x05054b50, end64: 0x06064b50, locator64: 0x07064b50, entry: 0x02014b50 } as const;
const endSize = 22;
const rowSize = 46;
/** A comment may follow the end record. */
const longestComment = 0xffff;
/** Bytes of a list of entries: a million of them. */
const largestList = 128 * 1024 * 1024;

/** The list at the end of an archive; `undefined`: it is not there, or damaged. A text: why the archive is not read, which completes "NAME …". */
export async function centralDirectory(source: ByteSource): Promise<readonly ZipEntry[] | string | undefined> {
  const size = await source.size();
  const from = Math.max(0, size - endSize - longestComment);
  const tail = viewOf(await source.read(from, size));
  const at = endRecord(tail);
  if (at === undefined) return undefined;
  const end = await endFields(source, tail, from, at, size);
  if (end === undefined) return undefined;
  if (end.disk !== 0) return 'is one part of a ZIP archive in several; put the parts together and open the result';
  if (end.size > largestList) return 'is a ZIP archive with too many entries to list; unpack it and open those that you want';
  const shift = end.at - end.size - end.start;
  if (shift < 0 || end.start + shift < 0) return undefined;
  return rowsOf(viewOf(await source.read(end.start + shift, end.at)), shift);
}

/** The last mark whose comment ends with the file; else the last one at all. */
function endRecord(tail: DataView): number | undefined {
  let any: number | undefined;
  for (let at = tail.byteLength - endSize; at >= 0; at--) {
    if (tail.getUint32(at, true) !== marks.end) continue;
    if (at + endSize + tail.getUint16(at + 20, true) === tail.byteLength) return at;
    any ??= at;
  }
  return any;
}

interface EndFields {
  readonly disk: number;
  /** Bytes of the list, and where it says that it begins. */
  readonly size: number;
  readonly start: number;
  /** Where the list ends. */
  readonly at: number;
}

async function endFields(source: ByteSource, tail: DataView, from: number, at: number, size: number): Promise<EndFields | undefined> {
  const plain = { disk: tail.getUint16(at + 4, true), size: tail.getUint32(at + 12, true), start: tail.getUint32(at + 16, true), at: from + at };
  const locator = at - 20;
  if (locator < 0 || tail.getUint32(locator, true) !== marks.locator64) return plain;
  const where = Number(tail.getBigUint64(locator + 8, true));
  if (where >= size) return undefined;
  const wide = viewOf(await source.read(where, where + 56));
  if (wide.byteLength < 56 || wide.getUint32(0, true) !== marks.end64) return undefined;
  return { disk: wide.getUint32(16, true), size: Number(wide.getBigUint64(40, true)), start: Number(wide.getBigUint64(48, true)), at: where };
}

/** `undefined`: it holds what is no entry, before its end or the digital signature that may stand there. */
function rowsOf(list: DataView, shift: number): readonly ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at < list.byteLength) {
    const mark = at + 4 <= list.byteLength ? list.getUint32(at, true) : undefined;
    if (mark === marks.signature) break;
    if (mark !== marks.entry || at + rowSize > list.byteLength) return undefined;
    const [name, extra, comment] = [list.getUint16(at + 28, true), list.getUint16(at + 30, true), list.getUint16(at + 32, true)];
    const next = at + rowSize + name + extra + comment;
    if (next > list.byteLength) return undefined;
    const narrow = { size: list.getUint32(at + 24, true), packed: list.getUint32(at + 20, true), at: list.getUint32(at + 42, true) };
    const wide = sizesOf(narrow, part(list, at + rowSize + name, extra));
    entries.push({
      name: nameIn(list, at + rowSize, name),
      method: list.getUint16(at + 10, true),
      encrypted: (list.getUint16(at + 8, true) & 1) === 1,
      crc: list.getUint32(at + 16, true),
      size: wide.size,
      packed: wide.packed,
      at: wide.at + shift,
    });
    at = next;
  }
  return entries;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

export const part = (view: DataView, at: number, length: number): DataView => new DataView(view.buffer, view.byteOffset + at, length);

/** Names are UTF-8 wherever it matters here; others become replacement characters. */
export const nameIn = (view: DataView, at: number, length: number): string => new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, length));
