import type { Trajectory, Span } from './model';

/** A file as bytes that are read by range; never a whole text in memory. Implemented over node:fs and over vscode's file system outside of this folder. */
export interface ByteSource {
  /** Bytes. */
  size(): Promise<number>;
  /**
   * Bytes [start, end); shorter at the end of the file.
   * @param into room that may be used for them, for whoever reads much and keeps nothing
   */
  read(start: number, end: number, into?: ArrayBuffer): Promise<Uint8Array>;
}

/** Where one record of a file stands, found without parsing it. */
export interface RecordRange {
  /** Counted from 0 over non-blank records, damaged ones included. */
  readonly record: number;
  /** Byte offsets [start, end) in the file. */
  readonly start: number;
  readonly end: number;
  /** Line of the first byte, counted from 0. */
  readonly line: number;
  /** Of several rollouts that stand there, which; counted from 0. Absent: it is the only one. */
  readonly part?: number;
}

/** `native`, `chat-text`, or the id of a format of formats/table.ts. */
export type Format = string;

/** One readable record. */
export interface ReadRecord {
  readonly kind: 'trajectory';
  readonly trajectory: Trajectory;
  /** Only where the record is written over several lines (native files): where its parts stand in the source. */
  readonly source?: SourceMap;
}

/** A record that could not be read, in one sentence that names the place and the remedy. */
export interface Problem {
  readonly kind: 'problem';
  /** Where in the record's text (UTF-16), where that is known. */
  readonly at?: Span;
  readonly message: string;
}

export type RecordResult = ReadRecord | Problem;

/** Bytes of one record: more than an editor or a string of JavaScript should hold. */
export const largestRecord = 256 * 1024 * 1024;

/** A record of a number that the file does not have. */
export const noRecord = (record: number, held: number): Problem => ({
  kind: 'problem',
  message: `There is no record ${String(record)}; the file holds ${held === 1 ? 'one, record 0' : `${String(held)}, counted from 0`}.`,
});

/** The problem of a record behind the place it is at: `Line 3: this record …`. @param why goes before it */
export const problemAt = (place: string, problem: Problem, why = ''): Problem => ({ ...problem, message: `${place}: ${why}${problem.message.charAt(0).toLowerCase()}${problem.message.slice(1)}` });

/** Where the parts of a native trajectory stand in its source, in UTF-16 code units of the document's text. */
export interface SourceMap {
  /** The whole record. */
  readonly whole: Span;
  /** The property that names the question (the trajectory's lens stands there); `whole` where there is none. */
  readonly question: Span;
  readonly answers?: Span;
  readonly turns: readonly SourceTurn[];
  readonly final?: SourceTurn;
  /** The strings that {@link Trajectory.text} is made of, in its order. */
  readonly pieces: readonly SourcePiece[];
}

/** A part of a trajectory's text and the JSON string it came from. */
export interface SourcePiece {
  readonly text: Span;
  /** Between the quotes. */
  readonly source: Span;
  /** What stands there, escapes and all. */
  readonly raw: string;
}

export interface SourceTurn {
  /** The turn's object. */
  readonly whole: Span;
  /** The value that holds the query (or the answer, or the text), where the inline annotation stands. */
  readonly query: Span;
  readonly observation?: Span;
}

/** What a file is, by its content. */
export type FileKind =
  | { readonly kind: 'trajectories'; readonly format: Format }
  | { readonly kind: 'foreign'; readonly message: string };
