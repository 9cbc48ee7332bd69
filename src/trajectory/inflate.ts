import type { ByteSource } from './records';

/** How a file, or an entry of an archive, is packed. */
export type Packing = 'gzip' | 'deflate';

/**
 * Unpacks what cannot be read by range: what comes back can. Rejects with {@link InflateError} where the file is the reason; whoever passes it on
 * closes what it opened.
 * @param packing `gzip` where it is not said
 * @param most bytes that may come out; more is refused
 */
export type Inflate = (source: ByteSource, signal?: AbortSignal, packing?: Packing, most?: number) => Promise<ByteSource>;

/** One entry of an archive, packed. */
export interface PackedEntry {
  readonly bytes: Uint8Array;
  readonly packing: 'deflate' | 'zstd';
  /** Bytes that it says it unpacks to. Absent: the archive breaks off before it says so. */
  readonly size?: number;
  /** The most that may come out. */
  readonly most: number;
}

/** Unpacks one entry in memory. Rejects with {@link InflateError}. */
export type UnpackEntry = (entry: PackedEntry) => Promise<Uint8Array>;

/** What packed files are read through; it lives outside of this folder. */
export interface Unpackers {
  readonly inflate: Inflate;
  readonly unpackEntry: UnpackEntry;
  /** CRC-32 as ZIP archives have it. */
  readonly checksum: (bytes: Uint8Array) => number;
}

/** It cannot be unpacked; the message completes "NAME …". */
export class InflateError extends Error {
  override readonly name = 'InflateError';

  /** @param out bytes that had come out and are kept until whoever unpacked them closes */
  constructor(
    message: string,
    readonly out = 0,
  ) {
    super(message);
  }
}
