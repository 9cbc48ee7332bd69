import type { ByteSource, RecordRange } from './records';

/** Bytes read at once. */
const chunkSize = 1 << 20;

/** Finds records in bytes that come chunk by chunk, in order. */
export interface RecordScanner {
  /** Those that have ended so far. */
  readonly records: readonly RecordRange[];
  /** Must not keep the chunk: the next one is read over it. */
  scan(chunk: Uint8Array): void;
  /** The file is over: what is open ends here. */
  end(): void;
}

/**
 * Reads a file through a scanner: the work is the reading, and memory does not grow with the records' length. Rejects where the source does, and with
 * the signal's reason when it aborts.
 * @param progress after each chunk, with the bytes read so far; the next is read when it resolves
 * @param from the first byte
 */
export async function scanRecords(source: ByteSource, scanner: RecordScanner, signal?: AbortSignal, progress?: (bytes: number) => void | Promise<void>, from = 0): Promise<readonly RecordRange[]> {
  const size = await source.size();
  const room = new ArrayBuffer(Math.min(chunkSize, Math.max(0, size - from)));
  for (let at = from; at < size; ) {
    signal?.throwIfAborted();
    const chunk = await source.read(at, Math.min(size, at + chunkSize), room);
    if (chunk.length === 0) break;
    scanner.scan(chunk);
    at += chunk.length;
    await progress?.(at);
  }
  scanner.end();
  return scanner.records;
}
