import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { InflateError, type Unpackers } from '../trajectory/inflate';
import type { ByteSource } from '../trajectory/records';
import { nodeByteSource } from './fileSource';
import { unpackEntry } from './unpackEntry';

/** Bytes that a packed file may unpack to. */
const largest = 4 * 2 ** 30;
const chunkSize = 1 << 20;

type OpenUnpackers = Unpackers & { close(): Promise<void> };

/**
 * Unpacks files into a folder of its own, since packed bytes cannot be read by range; `close` removes it. What a file that breaks off still holds
 * is kept. Entries of archives that are records are unpacked in memory.
 * @param limit bytes; a file that unpacks to more is refused
 */
export function openUnpackers(limit = largest): OpenUnpackers {
  const copies: { readonly folder: string; readonly source: ReturnType<typeof nodeByteSource> }[] = [];
  return {
    async inflate(source, signal, packing = 'gzip', most = limit) {
      const folder = await mkdtemp(path.join(tmpdir(), 'turnlens-'));
      const file = path.join(folder, 'unpacked');
      const copy = nodeByteSource(file);
      copies.push({ folder, source: copy });
      const handle = await open(file, 'w', 0o600);
      const out = { bytes: 0 };
      const flush = { finishFlush: constants.Z_SYNC_FLUSH };
      try {
        await pipeline(Readable.from(chunksOf(source)), packing === 'gzip' ? createGunzip(flush) : createInflateRaw(flush), bounded(handle, Math.min(most, limit), packing, out), signal === undefined ? {} : { signal });
      } catch (error) {
        throw whyNot(error, packing, out.bytes);
      } finally {
        await handle.close();
      }
      return copy;
    },
    unpackEntry,
    checksum: (bytes) => crc32(bytes),
    async close() {
      for (const { folder, source } of copies.splice(0)) {
        await source.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  const size = await source.size();
  for (let at = 0; at < size; ) {
    const chunk = await source.read(at, Math.min(size, at + chunkSize));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

/** Writes to the file what comes, up to so many bytes, and counts it. */
function bounded(handle: FileHandle, most: number, packing: 'gzip' | 'deflate', out: { bytes: number }): Writable {
  const why = packing === 'gzip' ? 'unpacks to more than 4 GB; unpack it (gunzip) and open the result' : 'unpacks to more than the archive says; it was damaged, or made to fill a disk';
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      out.bytes += chunk.length;
      if (out.bytes > most) done(new InflateError(why, out.bytes));
      else handle.write(chunk).then(() => done(), done);
    },
  });
}

/** The disk's errors, and a signal's, stay what they are. */
function whyNot(error: unknown, packing: 'gzip' | 'deflate', out: number): unknown {
  if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) return error;
  return new InflateError(packing === 'gzip' ? 'is compressed with gzip and damaged; what it holds cannot be unpacked' : 'is damaged and cannot be unpacked', out);
}
