import { decode } from './decode';
import type { Encoding } from './decode';
import { ParsedRecord } from './formats/parsedRecord';
import { largestRecord } from './records';
import type { ByteSource, RecordRange } from './records';

/** A row as it was read. */
interface ReadRow {
  readonly row: ParsedRecord;
  /** Some of its bytes are none of its encoding. */
  readonly lossy: boolean;
}

/** The rollouts of rows that may hold several each, as records one after the other. Each row is read, one at a time: how many it holds, its text tells. */
export class Rollouts {
  readonly records: RecordRange[] = [];
  /** Rows that were looked at. */
  private done = 0;
  /** The row that was read last: its other rollouts are likely to be next. */
  private last: { readonly start: number; readonly end: number; readonly read: Promise<ReadRow> } | undefined;

  /** @param rows those found so far; more may be added */
  constructor(
    private readonly source: ByteSource,
    private readonly rows: readonly RecordRange[],
    private readonly encoding: Encoding,
  ) {}

  /** Looks at the rows that were found since. Rejects where the source does, and with the signal's reason when it aborts. */
  async follow(signal?: AbortSignal): Promise<void> {
    for (let row = this.rows[this.done]; row !== undefined; row = this.rows[++this.done]) {
      signal?.throwIfAborted();
      const count = row.end - row.start > largestRecord ? undefined : (await this.read(row)).row.samples?.count;
      if (count === undefined) this.records.push({ ...row, record: this.records.length });
      for (let part = 0; part < (count ?? 0); part++) this.records.push({ ...row, record: this.records.length, part });
    }
  }

  /** After rows were appended: the last one that was looked at may have been cut. */
  async again(signal?: AbortSignal): Promise<boolean> {
    this.done = Math.max(0, this.done - 1);
    const last = this.rows[this.done];
    while (last !== undefined && this.records.at(-1)?.start === last.start) this.records.pop();
    await this.follow(signal);
    return true;
  }

  /** The row that a record stands in. Rejects where the source does. */
  async rowOf({ start, end }: RecordRange): Promise<ReadRow> {
    if (this.last?.start !== start || this.last.end !== end) this.last = { start, end, read: this.read({ start, end }) };
    try {
      return await this.last.read;
    } catch (error) {
      this.last = undefined;
      throw error;
    }
  }

  private async read({ start, end }: Pick<RecordRange, 'start' | 'end'>): Promise<ReadRow> {
    const { text, lossy } = decode(await this.source.read(start, end), this.encoding);
    return { row: new ParsedRecord(text), lossy };
  }
}
