import type { Dialect, TagPair } from './dialect';
import type { FinalTurn, Span, Turn } from './model';
import { withoutEndToken } from './roles';
import { trimmed } from './textSearch';

/** A part of what the policy wrote in one action, with the tags that its label names. */
export interface LabelledPart {
  readonly label: 'think' | 'search' | 'answer' | 'text';
  readonly span: Span;
}

/** What of a dialect stands around the parts. */
export type Marks = Pick<Dialect, 'tags' | 'endOfAction' | 'fenced' | 'markers'>;

const thought = ({ think }: { readonly think?: Span }): readonly LabelledPart[] => (think === undefined ? [] : [{ label: 'think', span: think }]);

export const partsOfTurn = (turn: Turn): readonly LabelledPart[] => [...thought(turn), ...turn.querySpans.map((span): LabelledPart => ({ label: 'search', span }))];

export const partsOfFinal = (final: FinalTurn): readonly LabelledPart[] => [...thought(final), { label: 'answer', span: final.answerSpan }];

/**
 * The parts of an action in order, and as `text` what the policy wrote between them that is more than their tags and blank space.
 * A part that begins within the one before it is left out.
 */
export function withTextBetween(text: string, dialect: Marks, policy: Span, parts: readonly LabelledPart[]): readonly LabelledPart[] {
  const all: LabelledPart[] = [];
  let at = policy.start;
  let before: LabelledPart | undefined;
  for (const part of [...parts].sort((a, b) => a.span.start - b.span.start)) {
    if (part.span.start < at) continue;
    all.push(...between(text, dialect, { start: at, end: part.span.start }, before, part), part);
    at = part.span.end;
    before = part;
  }
  all.push(...between(text, dialect, { start: at, end: policy.end }, before, undefined));
  return all;
}

/** As tags of a fence, which may be longer. */
const ticks = '```';

function between(text: string, { tags, endOfAction, fenced, markers = [] }: Marks, span: Span, before: LabelledPart | undefined, after: LabelledPart | undefined): readonly LabelledPart[] {
  const tagOf = (part: LabelledPart | undefined): TagPair | undefined => (part === undefined || part.label === 'text' ? undefined : tags[part.label]);
  const closing = tagOf(before)?.close.trim();
  let { start, end } = trimmed(text, span);
  if (closing !== undefined && text.startsWith(closing, start)) {
    start = Math.min(end, start + closing.length);
    while (closing === ticks && start < end && text[start] === '`') start++;
  }
  for (const tag of [endOfAction, tagOf(after)?.open.trim()]) {
    ({ start, end } = trimmed(text, { start, end }));
    if (tag === undefined || !text.slice(start, end).endsWith(tag)) continue;
    end -= tag.length;
    while (tag === ticks && start < end && text[end - 1] === '`') end--;
  }
  // The token that ends a message, where the dialect does not name it.
  ({ start, end } = trimmed(text, { start, end: start + withoutEndToken(text.slice(start, end)).length }));
  ({ start, end } = withoutMarkers(text, { start, end }, markers));
  if (fenced === true) ({ start, end } = withoutFence(text, { start, end }, after?.label === 'search'));
  // Calls of a list.
  if (before?.label === 'search' && end - start === 1 && ',]'.includes(text.charAt(start))) return [];
  return start < end ? [{ label: 'text', span: { start, end } }] : [];
}

/** Without the format's own marks at either end, and the blank space between them. */
function withoutMarkers(text: string, span: Span, markers: readonly string[]): Span {
  let { start, end } = trimmed(text, span);
  for (;;) {
    const first = markers.find((marker) => text.startsWith(marker, start) && start + marker.length <= end);
    if (first !== undefined) ({ start, end } = trimmed(text, { start: start + first.length, end }));
    const last = markers.find((marker) => end - marker.length >= start && text.startsWith(marker, end - marker.length));
    if (last !== undefined) ({ start, end } = trimmed(text, { start, end: end - last.length }));
    if (first === undefined && last === undefined) return { start, end };
  }
}

/** The line that opens a fence with a language's name (`\`\`\`bash`), and the tags that stand for fences, are tags too. */
function withoutFence(text: string, { start, end }: Span, opens: boolean): Span {
  const from = text.startsWith('</command>', start) ? Math.min(end, start + '</command>'.length) : start;
  const line = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
  const fence = opens && /^(?:```|<command>$)/.test(text.slice(line, Math.min(end, line + 80)));
  return trimmed(text, { start: from, end: fence ? line : end });
}
