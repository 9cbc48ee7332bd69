import { createScanner } from 'jsonc-parser';

/** jsonc-parser's SyntaxKind, which is a const enum and so not importable here. */
const token = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, end: 17 } as const;

/** A string of a record (no key), as it is meant and as it is written. */
export interface RecordString {
  readonly value: string;
  /** Between the quotes, escapes and all. */
  readonly raw: string;
  /** Of `raw` in the record's text, UTF-16. */
  readonly start: number;
  /** Written without escapes. */
  readonly isPlain?: true;
}

const isJson = (record: string): boolean => /^\ufeff?\s*[{["]/.test(record.slice(0, 100));

/** The strings of a record in order, read over damage. A record that is no JSON is one string without escapes. */
export function stringsOf(record: string): RecordString[] {
  if (!isJson(record)) return [{ value: record, raw: record, start: 0, isPlain: true }];
  const scanner = createScanner(record, true);
  const found: RecordString[] = [];
  let isBehindString = false;
  for (let kind = Number(scanner.scan()); kind !== token.end; kind = Number(scanner.scan())) {
    if (kind === token.colon && isBehindString) found.pop();
    isBehindString = kind === token.string;
    if (!isBehindString) continue;
    const start = scanner.getTokenOffset() + 1;
    const end = start + scanner.getTokenLength() - 1;
    found.push({ value: scanner.getTokenValue(), raw: record.slice(start, record.charAt(end - 1) === '"' ? end - 1 : end), start });
  }
  return found;
}

/** The JSON pointer (RFC 6901) of the value at an offset of a record; empty: the record itself. */
export function pointerAt(record: string, offset: number): string {
  const scanner = createScanner(record, true);
  const path: (string | number)[] = [];
  let last = '';
  for (let kind = Number(scanner.scan()); kind !== token.end; kind = Number(scanner.scan())) {
    if (scanner.getTokenOffset() > offset) break;
    const at = path.length - 1;
    if (kind === token.openBrace) path.push('');
    else if (kind === token.openBracket) path.push(0);
    else if (kind === token.closeBrace || kind === token.closeBracket) path.pop();
    else if (kind === token.comma && typeof path[at] === 'number') path[at]++;
    else if (kind === token.colon && at >= 0) path[at] = last;
    else if (kind === token.string) last = scanner.getTokenValue();
  }
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Code units of `raw` that stand for the first `length` code units of the value. */
export function writtenLength({ raw, isPlain }: RecordString, length: number): number {
  if (isPlain) return Math.min(length, raw.length);
  let at = 0;
  for (let i = 0; i < length && at < raw.length; i++) at += unitAt(raw, at);
  return Math.min(at, raw.length);
}

/** Code units of the value that the first `length` code units of `raw` stand for. */
export function meantLength({ raw, isPlain }: RecordString, length: number): number {
  if (isPlain) return Math.min(length, raw.length);
  let meant = 0;
  for (let at = 0; at < Math.min(length, raw.length); meant++) at += unitAt(raw, at);
  return meant;
}

function unitAt(raw: string, at: number): number {
  if (raw[at] !== '\\') return 1;
  return raw[at + 1] === 'u' ? 6 : 2;
}
