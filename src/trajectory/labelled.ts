import type { Action } from './action';
import type { Dialect, Labels } from './dialect';
import type { Span } from './model';
import { isBlank, skipWhitespace } from './textSearch';

type LabelKind = 'think' | 'action' | 'input' | 'observation' | 'answer';

/** A label at the start of a line, and where what it names begins and ends. */
interface Labelled {
  readonly kind: LabelKind;
  /** The label itself. */
  readonly start: number;
  readonly value: Span;
}

/** The actions of a text whose parts begin with labels at the start of a line (ReAct). What stands before the first label belongs to the first action. */
export function splitLabelled(text: string, dialect: Dialect): readonly Action[] {
  const { labels } = dialect;
  if (labels === undefined) return [];
  const parts = findLabels(text, labels);
  const actions: Action[] = [];
  let mine: Labelled[] = [];
  let start = 0;
  const close = (end: number, observation?: Labelled, until = end): void => {
    if (until <= start) return;
    const action = actionOf(text, { start, end }, mine, labels);
    actions.push(observation === undefined ? action : { ...action, observation: { whole: { start: end, end: until }, result: observation.value } });
    [mine, start] = [[], until];
  };
  parts.forEach((part, i) => {
    const next = parts[i + 1]?.start ?? text.length;
    if (part.kind === 'observation') close(Math.max(start, beforeFeed(text, part.start)), part, next);
    else mine.push(part);
  });
  close(text.length);
  return actions;
}

/** The same text as one action, whatever labels it has. */
export function labelledAction(text: string, labels: Labels): Action {
  return actionOf(text, { start: 0, end: text.length }, findLabels(text, labels), labels);
}

/** What stands after the first label of an observation. */
export function labelledValue(text: string, labels: Labels): Span | undefined {
  return findLabels(text, labels).find(({ kind }) => kind === 'observation')?.value;
}

/** The line feed before the environment's label is the environment's. */
const beforeFeed = (text: string, at: number): number => (text[at - 1] === '\n' ? at - 1 : at);

function findLabels(text: string, labels: Labels): readonly Labelled[] {
  const kinds: readonly LabelKind[] = ['input', 'think', 'action', 'observation', 'answer'];
  const kindOf = new Map(kinds.flatMap((kind) => labels[kind].map((name) => [name, kind] as const)));
  const names = [...kindOf.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const found: { kind: LabelKind; start: number; from: number }[] = [];
  for (const match of text.matchAll(new RegExp(`^(${names.join('|')})(?: \\d{1,3})?:[ \\t]?`, 'gim'))) {
    const kind = kindOf.get(match[1]?.toLowerCase() ?? '');
    if (kind !== undefined) found.push({ kind, start: match.index, from: match.index + match[0].length });
  }
  return found.map(({ kind, start, from }, i) => {
    const next = found[i + 1]?.start ?? text.length;
    return { kind, start, value: { start: from, end: Math.max(from, next < text.length || text.endsWith('\n') ? beforeFeed(text, next) : next) } };
  });
}

/** Thoughts are one span, from the first to the last before the action. */
function actionOf(text: string, policy: Span, parts: readonly Labelled[], labels: Labels): Action {
  const thoughts = parts.filter((part) => part.kind === 'think');
  const queries: Span[] = [];
  let answer: Span | undefined;
  parts.forEach((part, i) => {
    if (part.kind === 'answer') answer = part.value;
    if (part.kind !== 'action') return;
    const following = parts[i + 1];
    const call = following?.kind === 'input' ? { name: text.slice(part.value.start, part.value.end), argument: following.value } : bracketed(text, part.value);
    if (call === undefined || isBlank(text, part.value.start, part.value.end)) return;
    if (labels.finish.includes(call.name.trim().toLowerCase())) answer = call.argument;
    else queries.push(call.argument);
  });
  const [first, last] = [thoughts[0], thoughts.at(-1)];
  return {
    policy,
    queries: answer === undefined ? queries : [],
    ...(first === undefined || last === undefined ? {} : { think: { start: first.value.start, end: last.value.end } }),
    ...(answer === undefined ? {} : { answer }),
  };
}

/** `search[query]`; an action without brackets is its own argument. */
function bracketed(text: string, value: Span): { readonly name: string; readonly argument: Span } | undefined {
  const said = text.slice(value.start, value.end);
  const open = said.indexOf('[');
  const close = said.lastIndexOf(']');
  const name = open < 0 ? '' : said.slice(0, open);
  if (open < 0 || close < open || !/^\s*[\w .-]{1,40}$/.test(name)) return { name: said, argument: { start: Math.min(value.end, skipWhitespace(text, value.start)), end: value.end } };
  return { name, argument: { start: value.start + open + 1, end: value.start + close } };
}
