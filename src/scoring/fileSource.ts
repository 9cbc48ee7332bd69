import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSource } from '../trajectory/records';

/** A file on disk, read by range. Opened on the first read; rejects with the file system's own errors. */
export function nodeByteSource(path: string): ByteSource & { close(): Promise<void> } {
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
    async close() {
      const file = opened;
      opened = undefined;
      const handle = await file?.catch(() => undefined);
      await handle?.close();
    },
  };
}
