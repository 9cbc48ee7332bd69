import type { Encoding } from './decode';
import type { RecordRange } from './records';
import type { RecordScanner } from './scan';

/** Where each line that is not blank stands; `\r` belongs to the line. */
export class LineScanner implements RecordScanner {
  readonly records: RecordRange[] = [];
  private readonly width: number;
  private line: number;
  private lineStart: number;
  private seen: number;
  private blank = true;
  /** Of a code unit that the last chunk cut. */
  private carried: number | undefined;

  /** @param from the line to begin with: the first one, or where an earlier scan ended */
  constructor(
    private readonly encoding: Encoding,
    private readonly from: Omit<RecordRange, 'end'> = { record: 0, start: 0, line: 0 },
  ) {
    this.line = from.line;
    this.lineStart = from.start;
    this.seen = from.start;
    this.width = encoding === 'utf-8' ? 1 : 2;
  }

  scan(chunk: Uint8Array): void {
    const offset = this.seen;
    if (this.width === 1) this.scanBytes(chunk, offset);
    else this.scanPairs(chunk, offset);
    this.seen = offset + chunk.length;
  }

  end(): void {
    this.close(this.seen);
  }

  private scanBytes(chunk: Uint8Array, offset: number): void {
    for (let at = 0; at < chunk.length; ) {
      const feed = chunk.indexOf(0x0a, at);
      const end = feed < 0 ? chunk.length : feed;
      // One byte that is not blank settles a line, so that a long one is not looked at byte by byte.
      while (this.blank && at < end) this.blank = isBlankUnit(chunk[at++] ?? 0x20, offset + at - 1);
      if (feed < 0) return;
      this.close(offset + feed);
      this.open(offset + feed + 1);
      at = feed + 1;
    }
  }

  private scanPairs(chunk: Uint8Array, offset: number): void {
    let at = 0;
    if (this.carried !== undefined && chunk.length > 0) this.unit(this.pair(this.carried, chunk[at++] ?? 0), offset - 1);
    const last = chunk.length - ((chunk.length - at) % 2);
    while (at < last) {
      // One unit that is not blank settles a line, and then only line feeds count.
      const next = this.blank ? at : this.nextFeed(chunk, at, last);
      if (next >= last) break;
      this.unit(this.pair(chunk[next] ?? 0, chunk[next + 1] ?? 0), offset + next);
      at = next + 2;
    }
    this.carried = chunk[last];
  }

  private pair(first: number, second: number): number {
    return this.encoding === 'utf-16le' ? (second << 8) | first : (first << 8) | second;
  }

  private unit(unit: number, at: number): void {
    if (unit === 0x0a) {
      this.close(at);
      this.open(at + 2);
    } else if (this.blank) {
      this.blank = unit === 0xfeff || isBlankUnit(unit, Infinity);
    }
  }

  /** Where the first line feed of the pairs from `from` on begins; `end` where there is none. */
  private nextFeed(chunk: Uint8Array, from: number, end: number): number {
    const low = this.encoding === 'utf-16le' ? 0 : 1;
    for (let at = chunk.indexOf(0x0a, from); at >= 0 && at < end; at = chunk.indexOf(0x0a, at + 1)) {
      if ((at - from) % 2 === low && chunk[low === 0 ? at + 1 : at - 1] === 0) return at - low;
    }
    return end;
  }

  private open(start: number): void {
    this.line++;
    this.lineStart = start;
    this.blank = true;
  }

  private close(end: number): void {
    if (!this.blank) this.records.push({ record: this.from.record + this.records.length, start: this.lineStart, end, line: this.line });
  }
}

/** Space, tab, `\r`; and the three bytes of a UTF-8 byte order mark at the very start. */
const isBlankUnit = (unit: number, offset: number): boolean =>
  unit === 0x20 || unit === 0x09 || unit === 0x0d || (offset < 3 && (unit === 0xef || unit === 0xbb || unit === 0xbf));
