import type { Dialect, TagPair } from './dialect';
import type { FinalTurn, Span, Turn } from './model';
import { withoutEndToken } from './roles';
import { trimmed } from './tags';

/** A part of what the policy wrote in one action, with the tags that its label names. */
export interface LabelledPart {
  readonly label: 'think' | 'search' | 'answer' | 'text';
  readonly span: Span;
}

const thought = ({ think }: { readonly think?: Span }): readonly LabelledPart[] => (think === undefined ? [] : [{ label: 'think', span: think }]);

export const partsOfTurn = (turn: Turn): readonly LabelledPart[] => [...thought(turn), ...turn.querySpans.map((span): LabelledPart => ({ label: 'search', span }))];

export const partsOfFinal = (final: FinalTurn): readonly LabelledPart[] => [...thought(final), { label: 'answer', span: final.answerSpan }];

/**
 * The parts of an action in order, and as `text` what the policy wrote between them that is more than their tags and blank space.
 * A part that begins within the one before it is left out.
 */
export function withTextBetween(text: string, dialect: Pick<Dialect, 'tags' | 'endOfAction' | 'fenced'>, policy: Span, parts: readonly LabelledPart[]): readonly LabelledPart[] {
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

function between(text: string, { tags, endOfAction, fenced }: Pick<Dialect, 'tags' | 'endOfAction' | 'fenced'>, span: Span, before: LabelledPart | undefined, after: LabelledPart | undefined): readonly LabelledPart[] {
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
  if (fenced === true) ({ start, end } = withoutFence(text, { start, end }, after?.label === 'search'));
  return start < end ? [{ label: 'text', span: { start, end } }] : [];
}

/** The line that opens a fence with a language's name (`\`\`\`bash`), and the tags that stand for fences, are tags too. */
function withoutFence(text: string, { start, end }: Span, opens: boolean): Span {
  const from = text.startsWith('</command>', start) ? Math.min(end, start + '</command>'.length) : start;
  const line = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
  const fence = opens && /^(?:```|<command>$)/.test(text.slice(line, Math.min(end, line + 80)));
  return trimmed(text, { start: from, end: fence ? line : end });
}
