import type { SideLine, Span, Trajectory } from './model';
import type { SourceMap, SourcePiece, SourceTurn } from './records';

/** Where a document shows the parts of a trajectory, in UTF-16 code units of the document. */
export interface Anchors {
  /** Where what concerns the whole trajectory stands. */
  readonly trajectory: Span;
  /** One for each turn of the trajectory, in order. */
  readonly turns: readonly TurnAnchor[];
  readonly final?: TurnAnchor;
  /** In the transcript of a line beside a main one: where that is said. */
  readonly own?: Span;
  /** Where the lines beside this trajectory are named; only in transcripts. */
  readonly lines?: readonly LineAnchor[];
  /** Where a long part leaves out its middle, and the whole part in the trajectory's text; only in transcripts. */
  readonly shortened?: readonly { readonly at: Span; readonly text: Span }[];
}

export interface LineAnchor {
  /** Its own. */
  readonly name: string;
  readonly kind: SideLine['kind'];
  readonly turns: number;
  /** The turn it belongs to. */
  readonly turn?: number;
  readonly at: Span;
}

export interface TurnAnchor {
  /** Counted from 1; the final turn's is one more than the last turn's. */
  readonly turn: number;
  readonly whole: Span;
  /** On one line: the query, or what stands for it where the action is no search. */
  readonly query: Span;
  readonly observation?: Span;
}

/** From a span of {@link Trajectory.text} to one of the document; `undefined` where the document does not show it. */
export type Place = (span: Span) => Span | undefined;

/** Anchors in the source itself; `undefined` where its turns are not one object each, so that only a transcript can show them. */
export function anchorsOfSource(source: SourceMap, t: Trajectory): Anchors | undefined {
  if (source.turns.length !== t.turns.length) return undefined;
  const { final } = source;
  return {
    trajectory: source.question,
    turns: source.turns.map((turn, i) => anchorOf(turn, i + 1)),
    ...(final === undefined ? {} : { final: anchorOf(final, t.turns.length + 1) }),
  };
}

const anchorOf = ({ whole, query, observation }: SourceTurn, turn: number): TurnAnchor => {
  return { turn, whole, query, ...(observation === undefined ? {} : { observation }) };
};

/** Places spans of the text in the source, through the escapes of its strings. A span of tags alone is placed on its turn. */
export function sourcePlacer(source: SourceMap, t: Trajectory): Place {
  return (span) => {
    const touched = source.pieces.filter(({ text }) => text.start < span.end && span.start < text.end);
    const [first, last] = [touched[0], touched.at(-1)];
    if (first === undefined || last === undefined) return wholeTurn(source, t, span);
    const start = first.source.start + rawOffset(first, Math.max(0, span.start - first.text.start));
    const end = last.source.start + rawOffset(last, Math.min(last.text.end, span.end) - last.text.start);
    return { start, end: Math.max(start, end) };
  };
}

function wholeTurn(source: SourceMap, t: Trajectory, span: Span): Span | undefined {
  const index = t.turns.findIndex((turn) => span.start >= turn.policy.start && span.start < (turn.observation ?? turn.policy).end);
  if (index >= 0) return source.turns[index]?.query;
  return t.final !== undefined && span.start >= t.final.policy.start ? source.final?.query : undefined;
}

/** Code units of the JSON string's source that stand for its first `length` code units. */
function rawOffset({ raw }: SourcePiece, length: number): number {
  let at = 0;
  for (let i = 0; i < length && at < raw.length; i++) {
    if (raw[at] !== '\\') at++;
    else at += raw[at + 1] === 'u' ? 6 : 2;
  }
  return Math.min(at, raw.length);
}
