import type { Encoding } from './decode';

/**
 * A chunk's code units as bytes, to look for the characters of JSON's grammar in: of UTF-16, what is ASCII as it is, a byte order mark as a blank,
 * and everything else as one letter. The chunk holds whole units.
 */
export function asciiUnits(chunk: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return chunk;
  const low = encoding === 'utf-16le' ? 0 : 1;
  const units = new Uint8Array(chunk.length >> 1);
  for (let i = 0; i < units.length; i++) {
    const lower = chunk[i * 2 + low] ?? 0;
    const upper = chunk[i * 2 + 1 - low] ?? 0;
    if (upper === 0 && lower < 0x80) units[i] = lower;
    else units[i] = upper === 0xfe && lower === 0xff ? 0x20 : 0x61;
  }
  return units;
}
