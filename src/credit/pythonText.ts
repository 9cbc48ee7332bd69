/**
 * The metrics' reference code is Python: what it calls white space and a word character differs from JavaScript in a few characters, and those decide scores.
 */

/** What `str.split()` splits on: unlike `\s`, not U+FEFF, but U+001C–U+001F and U+0085. */
const space = '\\t\\n\\v\\f\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const spaces = new RegExp(`[${space}]+`, 'u');
const isSpace = new RegExp(`[${space}]`, 'u');

/** `\w` of a Python pattern. Combining marks are not in it. */
export const wordCharacter = '[\\p{L}\\p{N}_]';

/** `text.split()` */
export const splitWords = (text: string): string[] => text.split(spaces).filter((word) => word !== '');

/** `text.strip()` */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace.test(text.charAt(start))) start++;
  while (end > start && isSpace.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
