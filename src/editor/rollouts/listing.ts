import type { TrajectoryFile } from '../../trajectory/file';
import type { ReadOptions } from '../../trajectory/options';
import type { RecordRange, RecordResult } from '../../trajectory/records';
import { eachRecord } from '../../trajectory/summary';
import type { RolloutRow } from './row';

/** How far the list of a file is. */
export type Progress =
  | { readonly kind: 'unread' }
  | { readonly kind: 'reading'; readonly read: number; readonly of: number; /** More records are still being looked for. */ readonly searching: boolean }
  /** Stopped by the user, or full. */
  | { readonly kind: 'partial'; readonly read: number; readonly of: number }
  | { readonly kind: 'read' }
  /** In one sentence. */
  | { readonly kind: 'refused'; readonly message: string };

export interface ListingSource {
  /**
   * @param found the search for further records waits for it
   * @param until the file stays open for as long as this takes
   */
  open(found: (file: TrajectoryFile) => void | Promise<void>, until: Promise<void>): Promise<TrajectoryFile>;
  options(): Promise<ReadOptions>;
  rowOf(record: number, result: RecordResult): RolloutRow;
  /** Why a file cannot be opened. */
  reason(error: unknown): string;
}

/** Rows read before the user is asked whether to go on, which bounds the memory. */
const portion = 20_000;
/** Records handed to one pass: between two passes, newly found ones are seen. */
const batch = 256;

/** The rollouts of one file, read in order while they are shown; records are read as soon as they are found. */
export class Listing {
  rows: RolloutRow[] = [];
  progress: Progress = { kind: 'unread' };
  private most = portion;
  private records: readonly RecordRange[] | undefined;
  private stopping = new AbortController();
  private running: Promise<void> | undefined;
  private again = false;
  /** Every row is to be read by what is set now. */
  private reread = false;

  constructor(
    private readonly source: ListingSource,
    private readonly changed: () => void,
  ) {}

  /** Begins to read, once. */
  start(): void {
    if (this.progress.kind === 'unread' && !this.running) void this.read();
  }

  /** Goes on after a stop, by another portion. */
  more(): void {
    this.most = this.rows.length + portion;
    void this.read();
  }

  stop(): void {
    this.again = false;
    this.stopping.abort();
  }

  /** Everything is read anew: a setting changed what is read. */
  reset(): void {
    if (this.progress.kind === 'unread' && !this.running) return;
    this.reread = true;
    if (this.running) this.stopping.abort();
    void this.read();
  }

  /** The file changed: what was appended is read, and the last record again; a file that was written anew is read from the start. */
  follow(): void {
    const isStopping = this.running !== undefined && this.stopping.signal.aborted;
    if (this.progress.kind === 'unread' || this.progress.kind === 'partial' || isStopping) return;
    void this.read();
  }

  /** The file is no longer there: a list that was stopped says so too. */
  gone(): void {
    if (this.progress.kind !== 'unread' || this.running) void this.read();
  }

  /** Line of a record's first byte, counted from 0. */
  lineOf(record: number): number {
    return this.records?.[record]?.line ?? 0;
  }

  /** Resolves when this record is read, or nothing more is. */
  async reached(record: number): Promise<void> {
    this.start();
    while (this.running && this.rows.length <= record) await Promise.race([this.running, new Promise((resume) => setTimeout(resume, 50))]);
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  private async read(): Promise<void> {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.pass().finally(() => (this.running = undefined));
    await this.running;
    if (this.again) {
      this.again = false;
      await this.read();
    }
  }

  private async pass(): Promise<void> {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    let done: () => void = () => undefined;
    const finding = new Finding(this.source, new Promise((resolve) => (done = resolve)));
    try {
      const file = await finding.first.catch((error: unknown) => this.source.reason(error));
      signal.throwIfAborted();
      if (typeof file === 'string') return this.refuse(file);
      if (file.kind.kind === 'foreign') return this.refuse(file.kind.message);
      const isAnew = this.reread || file.records !== this.records;
      this.reread = false;
      this.records = file.records;
      await this.readRows(file, isAnew ? [] : this.rows, finding, signal);
      const [read, of] = [this.rows.length, file.records.length];
      this.show(read < of || finding.searching ? { kind: 'partial', read, of } : { kind: 'read' });
    } catch (error) {
      // Stopped before anything was read by what is set now.
      if (this.reread && !this.again) this.rows = [];
      if (signal.aborted) this.show({ kind: 'partial', read: this.rows.length, of: this.records?.length ?? 0 });
      else this.show({ kind: 'refused', message: this.source.reason(error) });
    } finally {
      finding.goOn();
      done();
    }
  }

  /** @param rows from the last of them on; what stands is shown until as many are there, so that nothing closes or loses its mark */
  private async readRows(file: TrajectoryFile, rows: RolloutRow[], finding: Finding, signal: AbortSignal): Promise<void> {
    const options = await this.source.options();
    let next = Math.max(0, rows.length - 1);
    try {
      while (next < this.most) {
        const records = file.records.slice(next, Math.min(next + batch, this.most));
        let record = next;
        const of = (result: RecordResult): RolloutRow => this.source.rowOf(record++, result);
        for await (const { summary } of eachRecord({ records, read: file.read }, options, of, signal)) {
          rows.length = next;
          next = rows.push(summary);
          if (next >= this.rows.length) this.rows = rows;
          this.show({ kind: 'reading', read: next, of: file.records.length, searching: finding.searching });
        }
        finding.goOn();
        if (next < file.records.length) continue;
        if (!finding.searching) return;
        await finding.next();
        signal.throwIfAborted();
      }
    } finally {
      if (!this.reread) this.rows = rows;
      // Rows of the file as it was before are none of this one.
      if (next === 0) rows.length = 0;
    }
  }

  /** Rows of a file that is not there, or is another kind now, are rows of nothing. */
  private refuse(message: string): void {
    this.rows = [];
    this.show({ kind: 'refused', message });
  }

  private show(progress: Progress): void {
    this.progress = progress;
    this.changed();
  }
}

/** A file whose records are still being found: the first of them, then, once these are listed, the rest. */
class Finding {
  /** The file as soon as its first records are there. */
  readonly first: Promise<TrajectoryFile>;
  searching = true;
  private readonly whole: Promise<TrajectoryFile>;
  private wake: (file: TrajectoryFile) => void = () => undefined;
  /** Lets the search go on after the first records. */
  goOn: () => void = () => undefined;

  /** @param until records of the file are read for as long as this takes */
  constructor(source: ListingSource, until: Promise<void>) {
    const early = new Promise<TrajectoryFile>((resolve) => (this.wake = resolve));
    const listed = new Promise<void>((resolve) => (this.goOn = resolve));
    this.whole = source
      .open((file) => {
        if (file.records.length === 0) return undefined;
        this.wake(file);
        return listed;
      }, until)
      .finally(() => {
        this.searching = false;
      });
    // Whoever still waits hears of a failure; nobody else needs to.
    this.whole.catch(() => undefined);
    this.first = Promise.race([this.whole, early]);
  }

  /** Until more are found, or all. */
  async next(): Promise<void> {
    await Promise.race([this.whole, new Promise<TrajectoryFile>((resolve) => (this.wake = resolve))]);
  }
}
