import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { alignment } from '../../../src/policy/alignment';
import { offsetsByPrefixes } from '../../../src/policy/offsets';
import { readTokenizer, type PolicyTokenizer } from '../../../src/policy/tokenizer';
import { demoPolicy } from '../../support/fixtures';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', 'e', '\u0301', '東', '👩', '\u200D', '\u1100', '\u1161', '\u11A8', '<|im_end|>', '<answer>', 'Ω', '\u212B'), maxLength: 12 });

describe('offsets of byte-level tokens', () => {
  let tokenizer: PolicyTokenizer;
  beforeAll(async () => {
    tokenizer = await readTokenizer(demoPolicy);
  });

  test('cover the text as it was given, in order, whatever the normalisation', () => {
    fc.assert(
      fc.property(text, (given) => {
        const encoded = tokenizer.encode(given);
        const offsets = tokenizer.offsets(given, encoded);
        expect(offsets?.length).toBe(encoded.ids.length);
        let covered = 0;
        for (const { start, end } of offsets ?? []) {
          expect(start).toBeLessThanOrEqual(covered);
          expect(end).toBeGreaterThanOrEqual(covered);
          covered = end;
        }
        expect(covered).toBe(given.length);
      }),
    );
  });
});

describe('alignment with a normalised text', () => {
  test('each normalised character comes from a range that normalises to it', () => {
    fc.assert(
      fc.property(text, (given) => {
        const map = alignment(given, (part) => part.normalize('NFC'));
        for (let at = 0; at < (map?.text.length ?? 0); at++) {
          const from = given.slice(map?.start(at), map?.end(at + 1));
          expect(from.normalize('NFC')).toContain(map?.text[at]);
        }
      }),
    );
  });

  test('is refused where the parts do not add up', () => {
    expect(alignment('ab', (part) => `_${part}`)).toBeUndefined();
  });
});

describe('offsets by decoding prefixes', () => {
  const decoder = (pieces: readonly string[]) => (ids: readonly number[]): string => ids.map((id) => pieces[id]).join('');

  test('count a blank that the decoder drops to the first token', () => {
    expect(offsetsByPrefixes(' ab c', [0, 1], decoder(['ab', ' c']))).toEqual([{ start: 0, end: 3 }, { start: 3, end: 5 }]);
  });

  test('give every token that holds a part of a character the whole of it', () => {
    const halves = (ids: readonly number[]): string => ['', '\uFFFD', '東', '東a'][ids.length] ?? '';
    expect(offsetsByPrefixes('東a', [7, 8, 9], halves)).toEqual([{ start: 0, end: 1 }, { start: 0, end: 1 }, { start: 1, end: 2 }]);
  });

  test('are not told where the tokens do not spell the text', () => {
    expect(offsetsByPrefixes('abc', [0, 1], decoder(['a', 'c']))).toBeUndefined();
    expect(offsetsByPrefixes('A', [0], decoder(['a']))).toBeUndefined();
  });
});
