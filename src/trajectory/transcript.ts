import type { Anchors, LineAnchor, Place, TurnAnchor } from './anchors';
import { findDialect, searchR1 } from './dialect';
import type { Dialect } from './dialect';
import { partsOfFinal, partsOfTurn, withTextBetween } from './betweenParts';
import type { LabelledPart, Marks } from './betweenParts';
import type { FinalTurn, SideLine, Span, Trajectory, Turn } from './model';
import { saidBehind } from './saidBehind';
import { wordFor } from './toolCall';
import { blockLabel, TranscriptWriter } from './transcriptWriter';
import type { Shown } from './transcriptWriter';

/** One trajectory as readable text, and where its parts stand in it. */
export interface Transcript {
  readonly text: string;
  readonly anchors: Anchors;
  readonly place: Place;
  /** From an offset of the transcript to one of {@link Trajectory.text}; `undefined` where what is written there is not of it. */
  textAt(offset: number): number | undefined;
}

/** UTF-16 code units of all parts together; more, and the longest are shortened with a note. Editors get slow far above. */
const budget = 1_500_000;

/**
 * Writes one trajectory for people: question and golds, then each turn with its reasoning, its query on a line of its own, and what came back.
 * Everything of {@link Trajectory.text} but the tags is shown. The same trajectory always gives the same text; it never holds `\r`, lone surrogates
 * or other control characters (each is replaced by one visible character).
 * @param line what names the trajectory where it is no main line of its record
 */
export function renderTranscript(trajectory: Trajectory, own: readonly Dialect[] = [], line?: string): Transcript {
  const { tags, endOfAction, fenced, markers, query: asks } = findDialect(trajectory.dialect, own) ?? searchR1;
  const t: Spoken = { ...trajectory, tags, ...(endOfAction === undefined ? {} : { endOfAction }), ...(fenced === true ? { fenced } : {}), ...(markers === undefined ? {} : { markers }), ...(asks === undefined ? {} : { query: asks }) };
  const out = new TranscriptWriter(t.text, bound(t));
  const question = out.field('Question', t.question === '' ? '(none)' : t.question);
  out.field('Gold', t.answers.length === 0 ? '(none)' : t.answers.join(' | '));
  if (t.recorded?.reward !== undefined) out.field('Recorded reward', String(t.recorded.reward));
  const ownName = line === undefined ? undefined : out.field('Line', `${line} (beside the main line of its record)`);
  const lines: LineAnchor[] = [];
  const beside = byTurn(t.sideLines);
  writeLines(out, beside.get(0), lines);
  const turns = t.turns.map((turn) => {
    const anchor = writeTurn(out, t, turn);
    writeLines(out, beside.get(turn.index), lines);
    return { ...anchor, whole: { start: anchor.whole.start, end: out.length } };
  });
  const final = t.final === undefined ? undefined : writeFinal(out, t, t.final, t.turns.length + 1);
  if (t.tail !== undefined) {
    out.heading('Cut off');
    writePolicy(out, t, t.tail, []);
  }
  if (t.ending === 'damaged') out.heading('The file breaks off here');
  const anchors: Anchors = { trajectory: question, turns, ...(final === undefined ? {} : { final }), ...(ownName === undefined ? {} : { own: ownName }), ...(lines.length === 0 ? {} : { lines }), ...(out.shortened.length === 0 ? {} : { shortened: out.shortened }) };
  const shown = out.shown;
  return { text: out.text, anchors, place: (span) => placeIn(shown, anchors, t, span), textAt: (offset) => textAt(shown, offset) };
}

function textAt(shown: readonly Shown[], offset: number): number | undefined {
  const part = shown.find(({ at, text }) => offset >= at && offset <= at + text.end - text.start);
  return part && part.text.start + offset - part.at;
}

/** A trajectory with the tags it is written in. */
type Spoken = Trajectory & Marks & Pick<Dialect, 'query'>;

/** How much of each part may be shown: all of it, or the most that keeps the sum within the budget, so that short parts stay whole. */
function bound(t: Trajectory): number {
  if (t.text.length <= budget) return Infinity;
  const spans = [...t.turns.flatMap((turn) => [turn.policy, ...(turn.observation === undefined ? [] : [turn.observation])]), t.final?.policy, t.tail];
  const lengths = spans.flatMap((span) => (span === undefined ? [] : [span.end - span.start])).sort((a, b) => a - b);
  let left = budget;
  for (const [i, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - i));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

/** Longest name of a line that is written out. */
const longestName = 200;

/** Names lines, each of which is a transcript of its own. */
function writeLines(out: TranscriptWriter, lines: readonly SideLine[] = [], into: LineAnchor[]): void {
  for (const { kind, name, turn, trajectory } of lines) {
    const shown = name.length > longestName ? `${name.slice(0, longestName)}…` : name;
    const turns = trajectory.turns.length;
    const at = out.field(`▸ ${kind}`, `${shown} (${String(turns)} ${turns === 1 ? 'turn' : 'turns'})`);
    into.push({ name, kind, turns, ...(turn === undefined ? {} : { turn }), at });
  }
}

/** 0: of no turn. */
function byTurn(lines: readonly SideLine[] = []): ReadonlyMap<number, readonly SideLine[]> {
  const found = new Map<number, SideLine[]>();
  for (const line of lines) {
    const known = found.get(line.turn ?? 0);
    if (known === undefined) found.set(line.turn ?? 0, [line]);
    else known.push(line);
  }
  return found;
}

function writeTurn(out: TranscriptWriter, t: Spoken, turn: Turn): TurnAnchor {
  const heading = out.heading(turn.ineligible === undefined ? `Turn ${String(turn.index)}` : `Turn ${String(turn.index)} (${turn.ineligible})`);
  const query = writePolicy(out, t, turn.policy, partsOfTurn(turn)) ?? heading;
  const observation = turn.observation === undefined ? undefined : out.block('observation', turn.result ?? turn.observation);
  const more = saidAfterResult(t, turn);
  if (more !== undefined) out.block('text', more);
  return {
    turn: turn.index,
    whole: { start: heading.start, end: out.length },
    query,
    ...(observation === undefined ? {} : { observation }),
  };
}

/** What was said to the policy in a message behind the one with a tool's answer: a person's words. */
function saidAfterResult({ text, tags }: Spoken, { result, observation }: Turn): Span | undefined {
  if (result === undefined || observation === undefined) return undefined;
  const close = tags.observation.close;
  const start = close !== '' && text.startsWith(close, result.end) ? result.end + close.length : result.end;
  return saidBehind(text, { start, end: observation.end });
}

function writeFinal(out: TranscriptWriter, t: Spoken, final: FinalTurn, turn: number): TurnAnchor {
  const heading = out.heading('Answer');
  const query = writePolicy(out, t, final.policy, partsOfFinal(final)) ?? heading;
  return { turn, whole: { start: heading.start, end: out.length }, query };
}

/** Writes policy text part by part; a command may take several lines. Gives the line of the first action. */
function writePolicy(out: TranscriptWriter, t: Spoken, policy: Span, parts: readonly LabelledPart[]): Span | undefined {
  let query: Span | undefined;
  for (const part of withTextBetween(t.text, t, policy, parts)) {
    const { label, span } = part;
    const word = label === 'search' ? wordFor(t.text, span, t) : label;
    const lines = t.fenced === true && label === 'search' && t.text.slice(span.start, span.end).includes('\n');
    if (label === 'think' || label === 'text') out.block(label, span);
    else if (lines) {
      const { start } = out.block(word, span);
      query ??= { start, end: start + blockLabel(word).length };
    } else {
      const written = out.line(word, span);
      query ??= written;
    }
  }
  return query;
}

/** Through the parts that are shown; a span of tags alone is placed on its turn's line. */
function placeIn(shown: readonly Shown[], anchors: Anchors, t: Trajectory, span: Span): Span | undefined {
  const touched = shown.filter((part) => part.text.start < span.end && span.start < part.text.end);
  const [first, last] = [touched[0], touched.at(-1)];
  if (first !== undefined && last !== undefined) {
    const start = first.at + Math.max(0, span.start - first.text.start);
    const end = last.at + Math.min(last.text.end, span.end) - last.text.start;
    return { start, end: Math.max(start, end) };
  }
  const index = t.turns.findIndex((turn) => span.start >= turn.policy.start && span.start < (turn.observation ?? turn.policy).end);
  if (index >= 0) return anchors.turns[index]?.query;
  return t.final !== undefined && span.start >= t.final.policy.start ? anchors.final?.query : undefined;
}
