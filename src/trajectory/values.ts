import type { Encoding } from './decode';
import type { RecordRange } from './records';
import type { RecordScanner } from './scan';
import { asciiUnits } from './units';

/** The containers to go into for the records, outermost first: `[` for an array of records, `{` then `[` for an array under some key, none for values one after the other. */
export type OpenContainers = readonly ('[' | '{')[];

const code = { feed: 0x0a, quote: 0x22, comma: 0x2c, colon: 0x3a, openBracket: 0x5b, backslash: 0x5c, closeBracket: 0x5d, letterN: 0x6e, openBrace: 0x7b, closeBrace: 0x7d } as const;

/** Where one value stands, in units of the text, and the line and column it begins on. */
interface Open {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Where JSON values stand in a file: an array's elements, an object's members, or values one after the other, whatever parts them (nothing, line feeds,
 * commas, a literal `\n`). No text, no parsing; memory does not grow with the values.
 * Damage ends a value and not the file: a string ends at a line feed (a brace in the column of the value's own then begins the next), and so does
 * a value at a brace that no comma, colon or bracket announces. What is no container but stands among the records is one of them, so that nothing is lost.
 */
export class ValueScanner implements RecordScanner {
  readonly records: RecordRange[] = [];
  private readonly width: number;
  /** Units before this chunk. */
  private base = 0;
  private line = 0;
  private lineStart = 0;
  /** Containers gone into. */
  private level = 0;
  /** Brackets open within the value. */
  private depth = 0;
  private value: Open | undefined;
  /** A value that is no container: it ends where it is parted from the next. */
  private scalar = false;
  private inString = false;
  /** A string of the value broke off. */
  private broken = false;
  /** The last chunk ended in a string, behind an odd number of backslashes. */
  private escaped = false;
  /** In this chunk, the last line feed that was looked for. */
  private feed = -1;
  /** The last unit that is no blank, outside of strings. */
  private before = 0;
  /** The beginning of the last string of the outermost container: of an object's member, its key. */
  private said = '';

  /** @param key of the outermost object: only the member of this name is gone into */
  constructor(
    private readonly open: OpenContainers,
    private readonly encoding: Encoding = 'utf-8',
    private readonly key?: string,
  ) {
    this.width = encoding === 'utf-8' ? 1 : 2;
  }

  scan(bytes: Uint8Array): void {
    const chunk = asciiUnits(bytes, this.encoding);
    let at = 0;
    this.feed = -1;
    while (at < chunk.length) {
      if (this.inString) at = this.string(chunk, at);
      else if (this.depth > 0) at = this.within(chunk, at);
      else this.between(chunk[at] ?? 0, this.base + at++);
    }
    this.base += chunk.length;
  }

  end(): void {
    this.close(this.base);
  }

  /** Goes to the end of the string: its closing quote, or the line feed that no string holds. By native searches, as most bytes are in strings. */
  private string(chunk: Uint8Array, from: number): number {
    const feed = this.nextFeed(chunk, from);
    for (let quote = chunk.indexOf(code.quote, from); ; quote = chunk.indexOf(code.quote, quote + 1)) {
      if (feed < chunk.length && (quote < 0 || feed < quote)) return this.leaveString(feed, true);
      if (quote < 0) break;
      if (this.isEscaped(chunk, from, quote)) continue;
      this.hear(chunk, from, quote);
      return this.leaveString(quote + 1, false);
    }
    this.hear(chunk, from, chunk.length);
    this.escaped = this.isEscaped(chunk, from, chunk.length);
    return chunk.length;
  }

  private hear(chunk: Uint8Array, from: number, to: number): void {
    if (this.key === undefined || this.depth > 0 || this.level !== 1) return;
    const room = this.key.length + 1 - this.said.length;
    this.said += String.fromCharCode(...chunk.subarray(from, Math.min(to, from + Math.max(0, room))));
  }

  /** A line feed is read again, outside of the string. */
  private leaveString(at: number, broken: boolean): number {
    this.inString = false;
    this.escaped = false;
    this.broken ||= broken;
    return at;
  }

  /** Whether an odd number of backslashes stands right before `at`, in the string that goes on at `from`. */
  private isEscaped(chunk: Uint8Array, from: number, at: number): boolean {
    let first = at;
    while (first > from && chunk[first - 1] === code.backslash) first--;
    const odd = (at - first) % 2 === 1;
    return first === from && this.escaped ? !odd : odd;
  }

  /** The first line feed at or after `from`; the chunk's length where there is none. */
  private nextFeed(chunk: Uint8Array, from: number): number {
    if (this.feed < from) {
      const found = chunk.indexOf(code.feed, from);
      this.feed = found < 0 ? chunk.length : found;
    }
    return this.feed;
  }

  /** Inside a value, outside of its strings: until a string opens or the value ends. */
  private within(chunk: Uint8Array, from: number): number {
    for (let i = from; i < chunk.length; i++) {
      const unit = chunk[i] ?? 0;
      if (unit <= 0x20) {
        if (unit === code.feed) this.nextLine(this.base + i + 1);
        continue;
      }
      switch (unit) {
        case code.quote:
          this.inString = true;
          this.before = unit;
          return i + 1;
        case code.openBrace:
          if (this.interrupts(this.base + i)) {
            this.close(this.base + i);
            return i;
          }
          this.depth++;
          break;
        case code.openBracket:
          this.depth++;
          break;
        case code.closeBrace:
        case code.closeBracket:
          if (--this.depth === 0) {
            this.close(this.base + i + 1);
            this.before = unit;
            return i + 1;
          }
      }
      this.before = unit;
    }
    return chunk.length;
  }

  private nextLine(at: number): void {
    this.line++;
    this.lineStart = at;
  }

  /** A brace inside a value follows a bracket, a comma or a colon; else what was before it broke off. */
  private interrupts(at: number): boolean {
    const announced = this.before === code.openBracket || this.before === code.comma || this.before === code.colon || this.before === code.openBrace;
    return !announced || (this.broken && at - this.lineStart === this.value?.column);
  }

  /** Between values. */
  private between(unit: number, at: number): void {
    if (unit <= 0x20) {
      if (unit !== code.feed) return;
      this.nextLine(at + 1);
      if (this.scalar) this.close(at);
      return;
    }
    this.outside(unit, at);
    this.before = unit;
  }

  private outside(unit: number, at: number): void {
    const inside = this.level > 0 ? this.open[this.level - 1] : undefined;
    switch (unit) {
      case code.openBrace:
      case code.openBracket:
        this.enter(unit, at, inside);
        return;
      case code.closeBrace:
      case code.closeBracket:
        if (this.level > 0) {
          if (this.scalar) this.close(at);
          this.level--;
          return;
        }
        break;
      case code.comma:
        if (this.scalar) this.close(at);
        return;
      case code.quote:
        this.inString = true;
        this.said = '';
        break;
      case code.colon:
        break;
    }
    this.stray(unit, at, inside);
  }

  private enter(unit: number, at: number, inside: string | undefined): void {
    if (this.scalar) this.close(at);
    const wanted = this.open[this.level];
    if (wanted?.charCodeAt(0) === unit && this.isWanted()) this.level++;
    else if (inside === '{' && wanted !== undefined) this.depth = 1;
    else this.begin(at);
  }

  private isWanted(): boolean {
    return this.key === undefined || this.level !== 1 || this.said === this.key;
  }

  /** Keys and plain members of an object are none of its records; what stands between the elements of an array, or between values, is. */
  private stray(unit: number, at: number, inside: string | undefined): void {
    if (inside === '{' || this.level > 1) return;
    if (unit === 0xbb || unit === 0xbf || unit === 0xef) {
      if (at < 3) return;
    }
    if (this.before === code.backslash && unit === code.letterN && this.value !== undefined && this.value.start === at - 1) {
      this.drop();
      return;
    }
    if (this.value !== undefined) return;
    this.value = { start: at, line: this.line, column: at - this.lineStart };
    this.scalar = true;
  }

  private begin(at: number): void {
    this.value = { start: at, line: this.line, column: at - this.lineStart };
    this.scalar = false;
    this.broken = false;
    this.depth = 1;
  }

  private drop(): void {
    this.value = undefined;
    this.scalar = false;
  }

  private close(end: number): void {
    if (this.value !== undefined) {
      const { start, line } = this.value;
      this.records.push({ record: this.records.length, start: start * this.width, end: end * this.width, line });
    }
    this.drop();
    this.depth = 0;
  }
}

/** How many values a text holds one after the other. */
export function countValues(text: string): number {
  const scanner = new ValueScanner([]);
  scanner.scan(new TextEncoder().encode(text));
  return scanner.records.length;
}
