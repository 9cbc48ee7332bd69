import type { Span } from './model';
import { visible } from './visible';

/** A range of the trajectory's text that is shown, character for character, at an offset of the transcript. */
export interface Shown {
  readonly text: Span;
  readonly at: number;
}

/** The line above a part. */
export const blockLabel = (label: string): string => `▸ ${label}`;

/** Builds a transcript line by line and keeps where each part went. */
export class TranscriptWriter {
  private readonly chunks: string[] = [];
  private written = 0;
  readonly shown: Shown[] = [];
  /** Parts of which the middle is left out: where that is said, and the whole part in the trajectory's text. */
  readonly shortened: { readonly at: Span; readonly text: Span }[] = [];

  constructor(
    private readonly source: string,
    /** Code units of one part at most. */
    private readonly most: number,
  ) {}

  get text(): string {
    return this.chunks.join('');
  }

  get length(): number {
    return this.written;
  }

  /** `Name: value`, on one line. */
  field(name: string, value: string): Span {
    return this.write(`${name}: ${visible(value, true)}`, '\n');
  }

  heading(title: string): Span {
    this.write('', '\n');
    return this.write(`━━━ ${title} ━━━`, '\n');
  }

  /** A part that stays on one line: `▸ search: query`. Gives the whole line. */
  line(label: string, span: Span): Span {
    const start = this.written;
    this.write(`▸ ${label}: `, '');
    this.part(span, true);
    return { start, end: this.written - 1 };
  }

  /** A part below its label. Gives label and part. */
  block(label: string, span: Span): Span {
    const start = this.written;
    this.write(blockLabel(label), '\n');
    this.part(span, false);
    return { start, end: this.written - 1 };
  }

  private part(span: Span, oneLine: boolean): void {
    const length = span.end - span.start;
    if (length <= this.most) {
      this.show(span, oneLine);
      this.write('', '\n');
      return;
    }
    const head = Math.ceil(this.most * 0.75);
    const tail = this.most - head;
    this.show({ start: span.start, end: span.start + head }, oneLine);
    const note = `… ${String(length - head - tail)} characters not shown …`;
    this.write(oneLine ? ' ' : '\n', '');
    this.shortened.push({ at: this.write(note, oneLine ? ' ' : '\n'), text: span });
    this.show({ start: span.end - tail, end: span.end }, oneLine);
    this.write('', '\n');
  }

  private show(span: Span, oneLine: boolean): void {
    if (span.end <= span.start) return;
    this.shown.push({ text: span, at: this.written });
    this.write(visible(this.source.slice(span.start, span.end), oneLine), '');
  }

  private write(text: string, after: string): Span {
    const start = this.written;
    this.chunks.push(text + after);
    this.written += text.length + after.length;
    return { start, end: start + text.length };
  }
}
