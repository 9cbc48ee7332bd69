import { createScanner } from 'jsonc-parser';
import { token } from './json';

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

/** A container that an offset is in, and which member of it. */
interface Level {
  /** A key, or an index. */
  step: string | number;
  /** It has begun: an object's with its key. */
  begun: boolean;
  /** Where its value ends, if that was met. */
  end: number | undefined;
}

/** The JSON pointer (RFC 6901) of the innermost member that touches an offset of a record, its key or its value; empty: the record itself. */
export function pointerAt(record: string, offset: number): string {
  const levels = levelsAt(record, offset);
  const touched = levels.filter(({ begun, end }) => begun && (end === undefined || end >= offset));
  return touched.map(({ step }) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function levelsAt(record: string, offset: number): readonly Level[] {
  const scanner = createScanner(record, true);
  const levels: Level[] = [];
  for (let kind = Number(scanner.scan()); kind !== token.end; kind = Number(scanner.scan())) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const isClosing = kind === token.closeBrace || kind === token.closeBracket;
    // What parts members counts where the offset is behind it.
    if (start > offset || (end > offset && (isClosing || kind === token.comma))) return levels;
    if (isClosing) levels.pop();
    const level = levels.at(-1);
    if (isClosing && level !== undefined) level.end = end;
    else if (kind === token.openBrace || kind === token.openBracket) {
      if (level !== undefined) goOn(level, undefined);
      if (end > offset) return levels;
      levels.push({ step: kind === token.openBrace ? '' : 0, begun: false, end: undefined });
    } else if (level === undefined || kind === token.colon) {
      continue;
    } else if (kind === token.comma) {
      levels.splice(-1, 1, { step: typeof level.step === 'number' ? level.step + 1 : '', begun: false, end: undefined });
    } else if (kind === token.string && typeof level.step === 'string' && (!level.begun || level.end !== undefined)) {
      levels.splice(-1, 1, { step: scanner.getTokenValue(), begun: true, end: undefined });
    } else goOn(level, end);
  }
  return levels;
}

/** A value of the member; without a key it is none. */
function goOn(level: Level, end: number | undefined): void {
  level.begun ||= typeof level.step === 'number';
  level.end = end;
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
