import type { Span } from './model';

/** Where a text holds another, none within the one before it; the first so many. */
export function occurrences(text: string, needle: string, most = Infinity): number[] {
  const found: number[] = [];
  if (needle === '') return found;
  for (let at = text.indexOf(needle); at >= 0 && found.length < most; at = text.indexOf(needle, at + needle.length)) found.push(at);
  return found;
}

const whitespace = /\s/;

/** The first offset at or after `from` that is no whitespace; the text's length where there is none. */
export function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && whitespace.test(text.charAt(at))) at++;
  return at;
}

/** Whether [start, end) is empty or whitespace alone. */
export function isBlank(text: string, start: number, end: number): boolean {
  return skipWhitespace(text, start) >= end;
}

/** A part of a text without the whitespace around it. */
export function trimmed(text: string, { start, end }: Span): Span {
  const from = Math.min(end, skipWhitespace(text, start));
  let to = end;
  while (to > from && whitespace.test(text.charAt(to - 1))) to--;
  return { start: from, end: to };
}
