import type { FileHandle } from 'node:fs/promises';

/** A range of bytes of a file, [start, end). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One field of a protobuf message in a file. */
interface FileField {
  readonly number: number;
  /** Tag, length and content. */
  readonly whole: ByteRange;
  /** Of a length-delimited field its content. */
  readonly content?: ByteRange;
}

const windowBytes = 1 << 18;

/** The bytes are no protobuf message, or break off inside of one. */
export class WireError extends Error {}

/** Walks through protobuf messages in a file without reading what is skipped: weights of any size cost nothing. */
export class WireFile {
  readonly #file: FileHandle;
  #window = Buffer.alloc(0);
  #windowStart = 0;

  constructor(
    file: FileHandle,
    /** Bytes. */
    readonly size: number,
  ) {
    this.#file = file;
  }

  /** The fields of the message in `range`. Throws WireError. */
  async *fields(range: ByteRange): AsyncGenerator<FileField> {
    for (let at = range.start; at < range.end; ) {
      const key = await this.#varint(at);
      const number = Math.floor(key.value / 8);
      if (number === 0) throw new WireError('field 0');
      const content = await this.#content(key.value % 8, key.next);
      if (content.end > range.end) throw new WireError('cut off');
      const whole = { start: at, end: content.end };
      at = content.end;
      yield { number, whole, ...(key.value % 8 === 2 ? { content } : {}) };
    }
  }

  /** A copy. Throws WireError. */
  async bytes({ start, end }: ByteRange): Promise<Uint8Array> {
    await this.#load(start, end - start);
    return Uint8Array.from(this.#window.subarray(start - this.#windowStart, end - this.#windowStart));
  }

  async #content(wire: number, at: number): Promise<ByteRange> {
    if (wire === 1) return { start: at, end: at + 8 };
    if (wire === 5) return { start: at, end: at + 4 };
    if (wire !== 0 && wire !== 2) throw new WireError(`wire type ${String(wire)}`);
    const { value, next } = await this.#varint(at);
    return { start: next, end: wire === 0 ? next : next + value };
  }

  async #varint(at: number): Promise<{ value: number; next: number }> {
    let value = 0;
    for (let i = 0; i < 10; i++) {
      if (at + i >= this.size) throw new WireError('cut off');
      if (!this.#holds(at + i, 1)) await this.#load(at + i, 1);
      const byte = this.#window[at + i - this.#windowStart] ?? 0;
      value += (byte & 127) * 2 ** (7 * i);
      if (byte < 128) return { value, next: at + i + 1 };
    }
    throw new WireError('varint too long');
  }

  #holds(at: number, count: number): boolean {
    return at >= this.#windowStart && at + count <= this.#windowStart + this.#window.length;
  }

  async #load(at: number, count: number): Promise<void> {
    if (this.#holds(at, count)) return;
    const window = Buffer.alloc(Math.max(count, Math.min(windowBytes, this.size - at)));
    const { bytesRead } = await this.#file.read(window, 0, window.length, at);
    if (bytesRead < count) throw new WireError('cut off');
    this.#window = window.subarray(0, bytesRead);
    this.#windowStart = at;
  }
}
