import { parseTree } from 'jsonc-parser';
import type { Action } from './action';
import { calledAnswer } from './calledAnswer';
import type { Dialect, TagPair } from './dialect';
import { tooDeep } from './json';
import type { Span } from './model';
import { closingBrace } from './tags';
import { isBlank, trimmed } from './textSearch';
import { isBareCall } from './toolCall';

/** What a dialect says beyond its tags: reasoning without tags, several queries in one pair of tags, an answer inside its answer. */
export function refine(text: string, action: Action, dialect: Dialect): Action {
  const tagged = action.queries.flatMap((span) => queriesOf(text, span, dialect));
  const queries = tagged.length === 0 && dialect.bareCalls === true ? bareCall(text, action) : tagged;
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
  if (dialect.query?.kind === 'json-call') return callsIn(text, span, dialect);
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

/** One call, or those of a list; a call in tags of its own is its tags too. */
function callsIn(text: string, { start, end }: Span, { query, tags }: Dialect): Span[] {
  const syntax = query?.kind === 'json-call' ? query.syntax : undefined;
  if (syntax === 'function-tags') return [{ start: start - tags.search.open.length, end: end + tags.search.close.length }];
  const whole = trimmed(text, { start, end });
  const listed = syntax === 'open-ended' ? itemsOf(text, whole) : [];
  return listed.length > 0 ? listed : [whole];
}

/** The objects of a list in JSON. */
function itemsOf(text: string, { start, end }: Span): Span[] {
  const list = text.slice(start, end);
  if (!list.startsWith('[') || tooDeep(list) !== undefined) return [];
  const items = parseTree(list)?.children ?? [];
  return items.every(({ type }) => type === 'object') ? items.map(({ offset, length }) => ({ start: start + offset, end: start + offset + length })) : [];
}

function bareCall(text: string, { policy }: Action): Span[] {
  const whole = trimmed(text, policy);
  return isBareCall(text.slice(whole.start, whole.end)) ? [whole] : [];
}

/** Everything the policy wrote after its reasoning. */
function plainAnswer(text: string, { policy, think }: Action, dialect: Dialect): Span | undefined {
  const { open, close } = dialect.tags.think;
  if (isMarked(text.slice(policy.start, policy.end), dialect)) return undefined;
  let start = policy.start;
  if (think !== undefined) start = think.end + close.length;
  else if (text.slice(policy.start, policy.end).includes(open)) return undefined;
  const ended = dialect.endOfAction !== undefined && text.slice(policy.start, policy.end).trimEnd().endsWith(dialect.endOfAction);
  const end = ended ? text.lastIndexOf(dialect.endOfAction ?? '', policy.end) : policy.end;
  const span = trimmed(text, { start, end: Math.max(start, end) });
  return span.end > span.start ? span : undefined;
}

/** Whether a message says by the format's own marks that it is something else: another channel's, or a call that breaks off. */
const isMarked = (said: string, { aroundCalls, query }: Dialect): boolean =>
  (aroundCalls !== undefined && said.includes(aroundCalls.open)) || (query?.kind === 'json-call' && query.syntax === 'channels' && said.includes('<|message|>'));

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
