import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default: deflate. */
  readonly method?: 0 | 8 | 93 | 99;
  /** The data as it stands in the archive; default: `content`, packed by the method. */
  readonly packed?: Uint8Array;
  readonly encrypted?: boolean;
  /** Its length stands behind the data and not before it. */
  readonly descriptor?: boolean;
  /** What the headers say of the content's length and checksum; default: the truth. */
  readonly size?: number;
  readonly crc?: number;
  /** The list sends to the data of another entry. */
  readonly sameAs?: string;
}

export interface ZipOptions {
  /** 64-bit fields, as for archives of more than 4 GB. */
  readonly wide?: boolean;
  readonly comment?: string;
  /** What stands at the end of the list. */
  readonly signature?: Uint8Array;
  /** Bytes before the archive. */
  readonly prefix?: number;
}

const encode = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? new TextEncoder().encode(text) : text);

/** A ZIP archive, honest or not, written byte by byte. */
export function makeZip(files: readonly ZipFile[], { wide = false, comment = '', prefix = 0, signature = new Uint8Array() }: ZipOptions = {}): Uint8Array {
  const parts: Uint8Array[] = [new Uint8Array(prefix)];
  const list: Uint8Array[] = [];
  const places = new Map<string, number>();
  let at = 0;
  for (const file of files) {
    const content = encode(file.content);
    const method = file.method ?? 8;
    const packed = file.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const name = encode(file.name);
    const [size, crc] = [file.size ?? content.length, file.crc ?? crc32(content)];
    const flags = (file.encrypted === true ? 1 : 0) | (file.descriptor === true ? 8 : 0) | 0x800;
    const sizes = wide ? [0xffffffff, 0xffffffff] : [packed.length, size];
    const own = file.descriptor === true ? [0, 0, 0] : [crc, ...sizes];
    const extra = wide ? wideField([size, packed.length]) : new Uint8Array();
    places.set(file.name, at);
    const header = [fields([4, 0x04034b50], [2, 45], [2, flags], [2, method], [4, 0], [4, own[0]], [4, own[1]], [4, own[2]], [2, name.length], [2, extra.length]), name, extra, packed];
    const descriptor = file.descriptor === true ? [fields([4, 0x08074b50], [4, crc], [4, packed.length], [4, size])] : [];
    const where = file.sameAs === undefined ? at : (places.get(file.sameAs) ?? 0);
    if (file.sameAs === undefined) {
      parts.push(...header, ...descriptor);
      at += [...header, ...descriptor].reduce((sum, part) => sum + part.length, 0);
    }
    const more = wide ? wideField([size, packed.length, where]) : new Uint8Array();
    list.push(
      fields([4, 0x02014b50], [2, 45], [2, 45], [2, flags], [2, method], [4, 0], [4, crc], [4, sizes[0]], [4, sizes[1]], [2, name.length], [2, more.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, wide ? 0xffffffff : where]),
      name,
      more,
    );
  }
  list.push(signature);
  const length = list.reduce((sum, part) => sum + part.length, 0);
  const wideEnd = wide
    ? [fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, files.length], [8, files.length], [8, length], [8, at]), fields([4, 0x07064b50], [4, 0], [8, prefix + at + length], [4, 1])]
    : [];
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, wide ? 0xffffffff : length], [4, wide ? 0xffffffff : at], [2, encode(comment).length]);
  return Buffer.concat([...parts, ...list, ...wideEnd, end, encode(comment)]);
}

function fields(...all: readonly (readonly [width: 2 | 4 | 8, value: number | undefined])[]): Uint8Array {
  const bytes = Buffer.alloc(all.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value = 0] of all) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

const wideField = (values: readonly number[]): Uint8Array => fields([2, 1], [2, values.length * 8], ...values.map((value) => [8, value] as const));
