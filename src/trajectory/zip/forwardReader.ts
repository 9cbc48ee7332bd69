import type { ByteSource } from '../records';

const chunkSize = 1 << 20;

/** Reads a source from front to back, by ranges and by chunks; what it read last is kept, so that reading on reads no byte twice. */
export class ForwardReader {
  private start = 0;
  private bytes = new Uint8Array();

  /** @param size bytes of the source */
  constructor(
    private readonly source: ByteSource,
    readonly size: number,
  ) {}

  /** Bytes [start, end); shorter at the end of the source. */
  async range(start: number, end: number): Promise<Uint8Array> {
    return (await this.from(start, end - start, end)).subarray(0, end - start);
  }

  /** Bytes from `start` on: those that are kept, or a chunk where they are fewer than `least`. */
  async chunk(start: number, least: number): Promise<Uint8Array> {
    return this.from(start, least, start + chunkSize);
  }

  private async from(start: number, least: number, end: number): Promise<Uint8Array> {
    const kept = start < this.start ? new Uint8Array() : this.bytes.subarray(start - this.start);
    const at = start + kept.length;
    if (kept.length >= least || at >= this.size) return kept;
    const more = await this.source.read(at, Math.min(this.size, end));
    const bytes = new Uint8Array(kept.length + more.length);
    bytes.set(kept);
    bytes.set(more, kept.length);
    this.start = start;
    this.bytes = bytes;
    return bytes;
  }
}
