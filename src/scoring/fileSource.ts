import { type FileHandle, open, stat } from 'node:fs/promises';
import type { ByteSource } from '../trajectory/records';

export interface OpenSource extends ByteSource {
  /** Whether its name still stands for the file that was opened, and not for one that was put in its place. */
  isNamed(): Promise<boolean>;
  close(): Promise<void>;
}

/** A file on disk, read by range. Opened on the first read; rejects with the file system's own errors. */
export function nodeByteSource(path: string): OpenSource {
  let opened: Promise<FileHandle> | undefined;
  const handle = (): Promise<FileHandle> => (opened ??= open(path, 'r'));
  return {
    async size() {
      return (await (await handle()).stat()).size;
    },
    async read(start, end, into) {
      const file = await handle();
      const length = Math.max(0, end - start);
      // A Buffer, for its indexOf is the C library's: finding records is a search for bytes.
      const bytes = into !== undefined && into.byteLength >= length ? Buffer.from(into, 0, length) : Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    async isNamed() {
      const [held, named] = await Promise.all([(await handle()).stat({ bigint: true }), stat(path, { bigint: true }).catch(() => undefined)]);
      return held.ino === named?.ino && held.dev === named.dev;
    },
    async close() {
      const file = opened;
      opened = undefined;
      const handle = await file?.catch(() => undefined);
      await handle?.close();
    },
  };
}
