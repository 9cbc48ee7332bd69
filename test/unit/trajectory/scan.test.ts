import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChatScanner } from '../../../src/trajectory/chats';
import type { Encoding } from '../../../src/trajectory/decode';
import { LineScanner } from '../../../src/trajectory/lines';
import type { ByteSource, RecordRange } from '../../../src/trajectory/records';
import { scanRecords } from '../../../src/trajectory/scan';
import { ValueScanner } from '../../../src/trajectory/values';

/** Hands out pieces of at most so many bytes, each read over the last one in the same room. */
function piecewise(bytes: Uint8Array, most: number): ByteSource {
  return {
    size: async () => bytes.length,
    async read(start, end, into) {
      const piece = bytes.subarray(start, Math.min(end, start + most));
      if (into === undefined) return piece.slice();
      const room = Buffer.from(into, 0, piece.length);
      room.set(piece);
      return room;
    },
  };
}

function encoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

const parts = fc.constantFrom('\n', '\r\n', ' ', '\ufeff', '{"a": "b"}', '{"a": "b\\\\\\""}', '[', ']', ',', '"', '\\', 'Ċ', '\u0a00', 'é', '<|im_start|>', 'system', '<', '\n\n', 'x'.repeat(40));
const texts = fc.array(parts, { maxLength: 30 }).map((all) => all.join(''));

const scanners = {
  lines: (encoding: Encoding) => new LineScanner(encoding),
  values: (encoding: Encoding) => new ValueScanner(['['], encoding),
  chats: (encoding: Encoding) => new ChatScanner(encoding),
};

describe.each(Object.entries(scanners))('%s', (_, scannerOf) => {
  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('stand at the same bytes of %s, in whatever pieces these are read', async (encoding) => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, units) => {
        const bytes = encoded(text, encoding);
        const whole: readonly RecordRange[] = await scanRecords(piecewise(bytes, Infinity), scannerOf(encoding));
        expect(await scanRecords(piecewise(bytes, units * (encoding === 'utf-8' ? 1 : 2)), scannerOf(encoding))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});

it.each(['utf-16le', 'utf-16be'] as const)('finds the lines of %s that those of its text are', async (encoding) => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, most) => {
      const found = await scanRecords(piecewise(encoded(text, encoding), most), new LineScanner(encoding));
      const lines = text.split('\n').flatMap((line, i) => (/^[ \t\r\ufeff]*$/.test(line) ? [] : [[i, line]]));
      expect(found.map(({ line, start, end }) => [line, text.slice(start / 2, end / 2)])).toEqual(lines);
    }),
    { numRuns: 300 },
  );
});
