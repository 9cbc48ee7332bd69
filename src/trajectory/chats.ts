import type { Encoding } from './decode';
import type { RecordRange } from './records';
import type { RecordScanner } from './scan';
import { asciiUnits } from './units';

const bytesOf = (text: string): readonly number[] => [...text].map((char) => char.charCodeAt(0));
const opening = bytesOf('<|im_start|>');
const system = bytesOf('system');
const longest = opening.length + system.length;

/**
 * Where each chat of a plain text stands: a chat begins with a system's message, or with a message after a blank line. Text before the first is a
 * record too.
 */
export class ChatScanner implements RecordScanner {
  readonly records: RecordRange[] = [];
  private open: { readonly start: number; readonly line: number } | undefined;
  private line = 0;
  /** Line feeds since the last character that is no blank. */
  private feeds = 2;
  /** Units before `kept`. */
  private base = 0;
  /** The end of the last chunk, in which a mark may begin. */
  private kept = new Uint8Array(0);
  private readonly width: number;

  constructor(private readonly encoding: Encoding) {
    this.width = encoding === 'utf-8' ? 1 : 2;
  }

  scan(chunk: Uint8Array): void {
    const fresh = asciiUnits(chunk, this.encoding);
    const seam = joined(this.kept, fresh.subarray(0, longest));
    if (fresh.length <= longest) return this.look(seam, Math.max(0, seam.length - longest));
    this.look(seam, this.kept.length);
    this.look(fresh, fresh.length - longest);
  }

  end(): void {
    this.look(this.kept, this.kept.length);
    this.close(this.base);
  }

  private look(units: Uint8Array, limit: number): void {
    for (let i = 0; i < limit; ) {
      const unit = units[i] ?? 0;
      if (unit === 0x0a) {
        this.line++;
        this.feeds++;
      }
      if (unit <= 0x20) {
        i++;
        continue;
      }
      if (this.open === undefined || this.begins(units, i)) this.begin(this.base + i);
      this.feeds = 0;
      // No chat begins within a line.
      const next = units.indexOf(0x0a, i + 1);
      i = next < 0 || next > limit ? limit : next;
    }
    this.base += limit;
    this.kept = new Uint8Array(units.subarray(limit));
  }

  private begins(units: Uint8Array, at: number): boolean {
    if (units[at] !== opening[0] || this.feeds === 0 || !matches(units, at, opening)) return false;
    return this.feeds > 1 || matches(units, at + opening.length, system);
  }

  private begin(at: number): void {
    this.close(at);
    this.open = { start: at, line: this.line };
  }

  private close(end: number): void {
    if (this.open === undefined) return;
    this.records.push({ record: this.records.length, start: this.open.start * this.width, end: end * this.width, line: this.open.line });
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const matches = (units: Uint8Array, at: number, mark: readonly number[]): boolean => mark.every((unit, i) => units[at + i] === unit);
