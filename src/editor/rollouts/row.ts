import { outcomeOf } from '../../credit/outcome';
import { undefinedBecause, type Score } from '../../credit/score';
import type { MetricId } from '../../credit/settings';
import { sha256 } from '../../scoring/textDigest';
import { linesOf, type NamedLine } from '../../trajectory/lineNames';
import type { Finding, SideLine, Trajectory } from '../../trajectory/model';
import type { RecordResult } from '../../trajectory/records';
import { visible } from '../../trajectory/visible';

/** What the view keeps of one rollout: bounded, whatever the record's size. */
export interface RolloutRow {
  /** Counted from 0 over the file's records. */
  readonly record: number;
  /** Cut for display. Empty: the record could not be read. */
  readonly question: string;
  /** {@link groupKeyOf}; of a record that could not be read {@link damagedKey}. */
  readonly group: string;
  readonly turns: number;
  readonly answer?: string;
  /** R(ŷ, y), recomputed. */
  readonly outcome: Score;
  /** The file's own reward. */
  readonly recordedReward?: number;
  readonly findings: number;
  /** The first findings. */
  readonly messages: readonly RowMessage[];
  /** Lines beside the main one, the first of them, and how many there are. */
  readonly lines: readonly LineRow[];
  readonly beside: number;
  /** Why the record could not be read. */
  readonly problem?: string;
}

/** A finding, cut for display. */
export type RowMessage = Pick<Finding, 'message' | 'severity'>;

/** A line beside a record's main one. */
export interface LineRow {
  /** Its path: what its transcript is found by. */
  readonly line: string;
  readonly kind: SideLine['kind'];
  readonly turn?: number;
  readonly turns: number;
  readonly answer?: string;
}

export const damagedKey = 'damaged';

/** Of the rollouts that answer the same question: by the group that the file names, else by the whole question. */
export const groupKeyOf = ({ group, question }: Pick<Trajectory, 'group' | 'question'>): string => (group === undefined ? `question ${sha256(question)}` : copied(`group ${group}`));

const longest = { question: 300, answer: 120, message: 300, messages: 4, lines: 50 };

export function rowOf(record: number, result: RecordResult, metric: MetricId): RolloutRow {
  if (result.kind === 'problem') {
    const problem = short(result.message, longest.message);
    return { record, question: '', group: damagedKey, turns: 0, outcome: undefinedBecause('the record cannot be read'), findings: 1, messages: [], lines: [], beside: 0, problem };
  }
  const { trajectory: t } = result;
  const reward = t.recorded?.reward;
  const lines = linesOf(t);
  return {
    record,
    question: short(t.question, longest.question),
    group: groupKeyOf(t),
    turns: t.turns.length,
    ...(t.final === undefined ? {} : { answer: short(t.final.answer, longest.answer) }),
    outcome: outcomeOf(t, metric),
    ...(reward === undefined ? {} : { recordedReward: reward }),
    findings: t.findings.length,
    messages: t.findings.slice(0, longest.messages).map(({ message, severity }) => ({ message: short(message, longest.message), severity })),
    lines: lines.slice(0, longest.lines).map(lineRow),
    beside: lines.length,
  };
}

const lineRow = ({ path, line: { kind, turn, trajectory } }: NamedLine): LineRow => ({
  line: copied(path),
  kind,
  ...(turn === undefined ? {} : { turn }),
  turns: trajectory.turns.length,
  ...(trajectory.final === undefined ? {} : { answer: short(trajectory.final.answer, longest.answer) }),
});

function short(text: string, most: number): string {
  const line = visible(text.slice(0, most), true);
  return copied(text.length > most ? `${line}…` : line);
}

/** A slice of a string keeps all of it in memory; its bytes do not. */
const copied = (text: string): string => Buffer.from(text).toString();
