import type { Dialect } from '../dialect';
import type { Ending, Finding, Prompt, Recorded, SavedScores, SideLine, Trajectory } from '../model';
import type { ReadOptions } from '../options';
import type { RolePart } from '../roles';
import type { Row } from './row';

/** One kind of record. */
export interface RowFormat {
  /** For scripts: `verl`. */
  readonly id: string;
  /** Whether a row is of this kind. `cut`: the text breaks off in it, so that missing keys may lie beyond. `own`: the user's dialects. Must not throw. */
  readonly matches: (row: Row, cut: boolean, own?: readonly Dialect[]) => boolean;
  /** Whether a file's first lines are steps of one record of this kind, which is then the whole file. `more`: the file goes on. Must not throw. */
  readonly lines?: (rows: readonly Row[], more: boolean) => boolean;
  /** What a row says; a text: why it holds no rollout, which completes "This row …". Must not throw. */
  readonly read: (row: Row, options: ReadOptions) => Draft | KeptDraft | string;
}

/** What a format takes out of a record; the rest is the same for all formats (finish.ts). */
export interface Draft {
  /** Absent: it is read out of the prompt. */
  readonly question?: string;
  /** The column that holds the golds and what it holds; `written` gives its numbers as the record writes them. Absent: none does. */
  readonly golds?: { readonly key: string; readonly value: unknown; readonly written?: (n: number) => string };
  readonly prompt?: Prompt;
  readonly rollout: Rollout;
  readonly group?: string;
  readonly ending?: Ending;
  readonly recorded?: Recorded;
  readonly notes?: readonly Finding[];
  /** What stands beside the main line; equal names are told apart later. */
  readonly sideLines?: readonly SideDraft[];
}

/** A trajectory that the file holds whole, as Turnlens wrote it. */
export interface KeptDraft extends Pick<Draft, 'notes' | 'sideLines'> {
  readonly kept: Omit<Trajectory, 'sideLines' | 'scored'>;
  readonly scored?: SavedScores;
}

export type SideDraft = Pick<SideLine, 'kind' | 'name' | 'turn'> & { readonly draft: Draft | KeptDraft };

/**
 * What policy and environment wrote after the prompt: text whose dialect says who wrote what (absent: told by its tags), or text whose parts
 * the file itself keeps apart.
 */
export interface Rollout {
  readonly text: string;
  readonly dialect?: Dialect;
  readonly parts?: readonly RolePart[];
}
