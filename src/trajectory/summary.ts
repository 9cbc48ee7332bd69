import type { TrajectoryFile } from './file';
import type { Finding, SideLine } from './model';
import type { ReadOptions } from './options';
import { linesOf } from './lineNames';
import type { RecordResult } from './records';

/** What a list shows of a record. */
export interface RecordSummary {
  readonly question?: string;
  /** Policy actions before the final one. */
  readonly turns: number;
  /** Each action's search query (parallel ones joined); empty for an action that is no search. */
  readonly queries: readonly string[];
  /** The final answer; absent: the rollout gave none. */
  readonly answer?: string;
  /** Golds. */
  readonly answers: readonly string[];
  readonly findings: readonly Finding[];
  /** What the record holds beside its main line, lines of lines among them. */
  readonly lines: readonly LineSummary[];
  /** Why the record could not be read. */
  readonly problem?: string;
}

export function summarise(result: RecordResult): RecordSummary {
  if (result.kind === 'problem') return { turns: 0, queries: [], answers: [], findings: [], lines: [], problem: result.message };
  const { trajectory: t } = result;
  return {
    question: t.question,
    turns: t.turns.length,
    queries: t.turns.map((turn) => turn.queries.join(' | ')),
    ...(t.final === undefined ? {} : { answer: t.final.answer }),
    answers: t.answers,
    findings: t.findings,
    lines: linesOf(t).map(({ path, line }) => ({ line: path, kind: line.kind, ...(line.turn === undefined ? {} : { turn: line.turn }), turns: line.trajectory.turns.length })),
  };
}

export interface LineSummary extends Pick<SideLine, 'kind' | 'turn'> {
  /** As `--line` takes it. */
  readonly line: string;
  /** Its policy actions before its final one. */
  readonly turns: number;
}

/** So long others may wait, in milliseconds. */
const patience = 20;

type Readable = Pick<TrajectoryFile, 'records' | 'read'>;

export interface Summarised<S> {
  readonly record: number;
  readonly summary: S;
}

/**
 * What `of` makes of each record, in order, one record in memory at a time; the second pass after {@link openTrajectoryFile}. Lets others run in
 * between. Rejects with the signal's reason when it aborts; whoever stops listening stops it too.
 */
export async function* eachRecord<S>(file: Readable, options: ReadOptions, of: (result: RecordResult) => S, signal?: AbortSignal): AsyncGenerator<Summarised<S>> {
  let since = performance.now();
  for (const { record } of file.records) {
    signal?.throwIfAborted();
    yield { record, summary: of(await file.read(record, options)) };
    if (performance.now() - since < patience) continue;
    await new Promise((resume) => setTimeout(resume));
    since = performance.now();
  }
}
