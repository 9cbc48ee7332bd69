import type { Score } from '../credit/score';
import { count, describeScore, formatScore, shapes, trajectorySummary } from '../scoring/format';
import type { TrajectoryScores, TurnScore } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';
import type { Figure, Snapshot, TurnFigures } from './contract';

/** What the panel shows: some trajectory, with its scores where it has them. */
export interface Subject {
  /** URI of the document that shows it. */
  readonly document: string;
  /** For people: the file, the record in it, and the line beside the record's main one. */
  readonly title: string;
  readonly trajectory: Trajectory;
  readonly scores?: TrajectoryScores;
  /** That gave the scores, for people. */
  readonly policy?: string;
  readonly stale: boolean;
  /** Counted from 1. */
  readonly selected?: number;
}

/** Whether two would look the same. */
export function isSame(a: Subject | undefined, b: Subject | undefined): boolean {
  if (!a || !b) return a === b;
  return a.document === b.document && a.title === b.title && a.trajectory === b.trajectory && a.scores === b.scores && a.stale === b.stale && a.selected === b.selected;
}

export const nothingShown: Snapshot = { kind: 'empty', message: 'Open a trajectory or a transcript beside this panel.' };

const notScored: Figure = { text: 'not scored' };
/** Of a query or an answer in a table. */
const longest = 200;

export function snapshotOf({ document, title, trajectory, scores, policy = '', stale, selected }: Subject): Snapshot {
  return {
    kind: 'trajectory',
    document,
    title,
    question: trajectory.question,
    summary: scores ? trajectorySummary(scores) : `${count(trajectory.turns.length, 'turn')}, not scored`,
    ...(scores && { provenance: `${policy} on ${scores.provenance.device}, ${scores.provenance.activations} activations, ${scores.provenance.runtime}` }),
    stale,
    states: (scores?.states ?? []).map((state) => ({ index: state.index, answer: cut(state.answer ?? ''), answerability: figure(state.answerability, false) })),
    turns: trajectory.turns.map((turn) => turnFigures(turn.index, cut(turn.queries.join(' | ')), scores?.turns[turn.index - 1])),
    ...(selected === undefined ? {} : { selected }),
  };
}

function turnFigures(index: number, query: string, turn: TurnScore | undefined): TurnFigures {
  const spike = turn?.spike ?? 'quiet';
  const shown = (score: Score | undefined): Figure => (score ? figure(score, true) : notScored);
  return {
    index,
    query,
    spike,
    shape: shapes[spike],
    reward: shown(turn?.processReward),
    gain: shown(turn?.gain),
    advantage: shown(turn?.advantage),
    gated: shown(turn?.gatedAdvantage),
    gate: turn?.gate ?? 'not scored',
  };
}

function figure(score: Score, signed: boolean): Figure {
  if (score.kind === 'value') return { value: score.value, text: formatScore(score, 2, signed) };
  return score.kind === 'undefined' ? { text: 'undefined', reason: describeScore(score, 2, signed) } : notScored;
}

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);
