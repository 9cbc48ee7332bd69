import type { CharRange, TokenIds } from '../replay/requests';
import { alignment } from './alignment';

/** Longest text whose offsets are found by decoding, tokens: the work grows with its square. */
const longestByPrefixes = 1024;

/**
 * UTF-16 offsets in `text` of byte-level tokens, summed from their lengths in bytes; a token that ends inside of a character has the whole of it.
 * `literal`: the text of an added token, `undefined` for a token in the byte alphabet. `normalise`: what the tokenizer does to text first.
 * Returns `undefined` where the tokens do not spell the text.
 */
export function offsetsByBytes(
  text: string,
  tokens: readonly string[],
  literal: readonly (string | undefined)[],
  normalise?: (part: string) => string,
): readonly CharRange[] | undefined {
  const map = normalise ? alignment(text, normalise) : undefined;
  if (normalise && !map) return undefined;
  const normalised = map?.text ?? text;
  const at = charactersByByte(normalised);
  const ranges: CharRange[] = [];
  let byte = 0;
  for (const [index, token] of tokens.entries()) {
    const added = literal[index];
    // In the byte alphabet, one character is one byte.
    const end = byte + (added === undefined ? token.length : Buffer.byteLength(added));
    const from = at.start[byte];
    const to = at.end[end - 1];
    if (from === undefined || to === undefined) return undefined;
    if (added !== undefined && normalised.slice(from, to) !== added) return undefined;
    ranges.push(map ? { start: map.start(from), end: map.end(to) } : { start: from, end: to });
    byte = end;
  }
  return byte === at.start.length ? ranges : undefined;
}

/** UTF-16 offsets in `text` found by decoding longer and longer prefixes of `ids`; `undefined` where these do not spell the text. */
export function offsetsByPrefixes(text: string, ids: TokenIds, decode: (ids: TokenIds) => string): readonly CharRange[] | undefined {
  if (ids.length > longestByPrefixes) return undefined;
  const whole = decode(ids);
  // Decoders in the manner of SentencePiece drop the blank that stands first.
  const lead = text.length - whole.length;
  if (lead < 0 || !text.endsWith(whole) || text.slice(0, lead).trim() !== '') return undefined;
  const ranges: CharRange[] = [];
  let start = 0;
  for (let count = 1; count <= ids.length; count++) {
    const prefix = decode(ids.slice(0, count)).replace(/\uFFFD+$/, '');
    if (!whole.startsWith(prefix) || lead + prefix.length < start) return undefined;
    const end = lead + prefix.length;
    ranges.push({ start, end });
    start = end;
  }
  return start === text.length ? spread(ranges) : undefined;
}

/** Tokens that hold a part of a character get the whole of it: an empty range grows to the end of the next one. */
function spread(ranges: readonly CharRange[]): readonly CharRange[] {
  const grown = [...ranges];
  for (let index = grown.length - 2; index >= 0; index--) {
    const range = grown[index];
    const next = grown[index + 1];
    if (range && next && range.start === range.end) grown[index] = { start: range.start, end: next.end };
  }
  return grown;
}

/** For each byte of the UTF-8 of `text`: where its character starts and ends, in UTF-16. */
function charactersByByte(text: string): { readonly start: readonly number[]; readonly end: readonly number[] } {
  const start: number[] = [];
  const end: number[] = [];
  let at = 0;
  for (const character of text) {
    const bytes = Buffer.byteLength(character);
    for (let i = 0; i < bytes; i++) {
      start.push(at);
      end.push(at + character.length);
    }
    at += character.length;
  }
  return { start, end };
}
