import type { Action } from './action';
import { calledAnswer } from './calledAnswer';
import type { Dialect, TagPair } from './dialect';
import type { Span } from './model';
import { closingBrace, isBlank, trimmed } from './tags';

/** What a dialect says beyond its tags: reasoning without tags, several queries in one pair of tags, an answer inside its answer. */
export function refine(text: string, action: Action, dialect: Dialect): Action {
  const queries = action.queries.flatMap((span) => queriesOf(text, span, dialect));
  const answer = action.answer ?? (queries.length === 0 && dialect.plainAnswer === true ? plainAnswer(text, action, dialect) : undefined);
  const [only, ...others] = queries;
  const called = answer === undefined && only !== undefined && others.length === 0 && dialect.plainAnswer === true ? calledAnswer(text, only) : undefined;
  const think = dialect.reasoning === undefined ? action.think : untagged(text, action, dialect);
  return {
    policy: action.policy,
    queries,
    ...(think === undefined ? {} : { think }),
    ...(answer === undefined ? {} : { answer: narrowed(text, answer, dialect.answerWithin ?? []) }),
    ...(called === undefined ? {} : { answer: called, called: true as const }),
  };
}

function queriesOf(text: string, span: Span, dialect: Dialect): Span[] {
  if (dialect.query?.kind === 'json-call') return [trimmed(text, span)];
  if (dialect.query?.kind !== 'list') return [span];
  const { separator } = dialect.query;
  let start = span.start;
  return text
    .slice(span.start, span.end)
    .split(separator)
    .map((part) => {
      const end = start + part.length;
      const query = { start, end };
      start = end + separator.length;
      return query;
    });
}

/** Everything the policy wrote after its reasoning. */
function plainAnswer(text: string, { policy, think }: Action, dialect: Dialect): Span | undefined {
  const { open, close } = dialect.tags.think;
  let start = policy.start;
  if (think !== undefined) start = think.end + close.length;
  else if (text.slice(policy.start, policy.end).includes(open)) return undefined;
  const ended = dialect.endOfAction !== undefined && text.slice(policy.start, policy.end).trimEnd().endsWith(dialect.endOfAction);
  const end = ended ? text.lastIndexOf(dialect.endOfAction ?? '', policy.end) : policy.end;
  const span = trimmed(text, { start, end: Math.max(start, end) });
  return span.end > span.start ? span : undefined;
}

/** What stands before the first search or answer; where think tags span the turns, only inside them. */
function untagged(text: string, { policy, queries, answer }: Action, dialect: Dialect): Span | undefined {
  const { think, search, answer: answered } = dialect.tags;
  const query = queries[0];
  let end = policy.end;
  if (query !== undefined) end = opening(text, query, [search, ...(dialect.moreTools ?? []).map((tool) => tool.search)]);
  else if (answer !== undefined) end = opening(text, answer, [answered]);
  let { start } = policy;
  if (dialect.reasoning === 'spanning') {
    const inside = text.slice(start, end);
    const closes = inside.lastIndexOf(think.close);
    const opens = inside.indexOf(think.open);
    if (closes >= 0) end = start + closes;
    if (opens >= 0 && opens < end - start) start += opens + think.open.length;
  }
  return start < end && !isBlank(text, start, end) ? { start, end } : undefined;
}

/** Where the opening tag of this span stands. */
function opening(text: string, span: Span, pairs: readonly TagPair[]): number {
  const pair = pairs.find(({ open }) => text.startsWith(open, span.start - open.length));
  return span.start - (pair?.open.length ?? 0);
}

/** The inside of the last of each pair in turn, where it is there. */
function narrowed(text: string, answer: Span, pairs: readonly TagPair[]): Span {
  let span = answer;
  for (const { open, close } of pairs) {
    const at = text.lastIndexOf(open, span.end - open.length);
    if (at < span.start) continue;
    const start = at + open.length;
    const end = close === '}' ? closingBrace(text.slice(0, span.end), start) : text.indexOf(close, start);
    if (end !== undefined && end >= start && end <= span.end) span = { start, end };
  }
  return span;
}
