import type { ByteSource } from './records';

/**
 * Unpacks a gzip file, which cannot be read by range: what comes back can. Rejects with {@link InflateError} where the file is the reason; whoever
 * passes it on closes what it opened.
 */
export type Inflate = (source: ByteSource, signal?: AbortSignal) => Promise<ByteSource>;

/** The file cannot be unpacked; the message completes "NAME …". */
export class InflateError extends Error {
  override readonly name = 'InflateError';
}
