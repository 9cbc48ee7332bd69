import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import { decompress } from 'fzstd';
import { InflateError, type UnpackEntry } from '../trajectory/inflate';

const inflated = promisify(inflateRaw);

/** Unpacks one entry of an archive, to no more than it says or may. Of one that breaks off, what is there. */
export const unpackEntry: UnpackEntry = async ({ bytes, packing, size, most }) => {
  if (packing === 'zstd') return zstd(bytes, size);
  // The runtime refuses one that is larger by a byte; an empty one needs room for one.
  const maxOutputLength = Math.max(1, Math.min(size ?? most, most));
  try {
    return await inflated(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new InflateError(size === undefined ? 'is too long to be read out of an archive that breaks off' : 'unpacks to more than the archive says; it was damaged, or made to fill memory');
    if (code?.startsWith('Z_')) throw new InflateError('is damaged and cannot be unpacked');
    throw error;
  }
};

/** Into a buffer of the size that the archive states: what a frame says of its own window is not believed. */
function zstd(bytes: Uint8Array, size: number | undefined): Uint8Array {
  if (size === undefined) throw new InflateError('is compressed with Zstandard, and the archive breaks off before it says how long it is');
  const content = new Uint8Array(size);
  try {
    // With several frames it gives nothing back; no archive has them.
    if (decompress(bytes, content).length === size) return content;
  } catch {
    // It has no class of errors for damage.
  }
  throw new InflateError('is damaged and cannot be unpacked');
}
