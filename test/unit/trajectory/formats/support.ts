import { openTrajectoryFile } from '../../../../src/trajectory/file';
import type { Trajectory } from '../../../../src/trajectory/model';
import { textOf } from '../../../../src/trajectory/model';
import type { ReadOptions } from '../../../../src/trajectory/options';
import type { RecordResult } from '../../../../src/trajectory/records';
import { bytesSource, checkCover } from '../support';

export interface Opened {
  /** `undefined`: foreign. */
  readonly format: string | undefined;
  readonly message: string | undefined;
  readonly results: readonly RecordResult[];
}

/** A file of this content, read from start to end. */
export async function open(content: string | Uint8Array, options?: ReadOptions): Promise<Opened> {
  const file = await openTrajectoryFile(bytesSource(content), 'x.json');
  const results = await Promise.all(file.records.map(({ record }) => file.read(record, options)));
  for (const result of results) if (result.kind === 'trajectory') checkCover(result.trajectory.text, result.trajectory);
  return file.kind.kind === 'foreign' ? { format: undefined, message: file.kind.message, results } : { format: file.kind.format, message: undefined, results };
}

/** The only trajectory of a file. */
export async function one(content: string | object, format: string, options?: ReadOptions): Promise<Trajectory> {
  const opened = await open(typeof content === 'string' ? content : `${JSON.stringify(content)}\n`, options);
  const [result] = opened.results;
  if (opened.format !== format || opened.results.length !== 1 || result?.kind !== 'trajectory') throw new Error(JSON.stringify({ ...opened, expected: format }));
  return result.trajectory;
}

export const codes = (t: Trajectory): string[] => t.findings.map((finding) => finding.code);

/** Queries, what came back and the answer: what a reader asks of a format. */
export function gist(t: Trajectory): object {
  return {
    question: t.question,
    answers: t.answers,
    queries: t.turns.map((turn) => turn.queries),
    results: t.turns.map((turn) => (turn.result === undefined ? undefined : textOf(t, turn.result).trim())),
    answer: t.final?.answer,
  };
}
