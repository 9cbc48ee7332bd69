import type { Action } from './action';
import { findingsOf } from './actionFindings';
import { unescaped } from './calledAnswer';
import type { Dialect } from './dialect';
import type { FinalTurn, Finding, Ineligible, Span, Turn } from './model';
import { isBlank } from './textSearch';
import { queriesOfCall, readCall } from './toolCall';

/** A text as turns, final turn and tail, which cover it in order and without gaps. */
export interface Segmented {
  readonly turns: readonly Turn[];
  readonly final?: FinalTurn;
  readonly tail?: Span;
  readonly findings: readonly Finding[];
}

/** Decides which action is the final one, what is tail, and why a turn gets no gain. `actions` cover `text` in order and without gaps. */
export function assemble(text: string, actions: readonly Action[], dialect: Dialect): Segmented {
  const merged = withoutBlankEnd(text, actions);
  const finalAt = finalAction(merged);
  const turnsEnd = finalAt ?? (endsInTail(merged) ? merged.length - 1 : merged.length);
  const turns = merged.slice(0, turnsEnd).map((action, i) => turnOf(text, action, i + 1, dialect));
  const last = finalAt === undefined ? undefined : merged[finalAt];
  const final = last === undefined ? undefined : finalOf(text, last);
  const tail = tailOf(text, merged[turnsEnd + (final === undefined ? 0 : 1)]);
  return {
    turns,
    ...(final === undefined ? {} : { final }),
    ...(tail === undefined ? {} : { tail }),
    findings: merged.flatMap((action, i) => findingsOf(text, action, i < turnsEnd ? i + 1 : undefined, dialect)),
  };
}

/** Whitespace at the very end is no action of its own: it belongs to whatever stands before it. */
function withoutBlankEnd(text: string, actions: readonly Action[]): readonly Action[] {
  const [before, last] = [actions.at(-2), actions.at(-1)];
  if (before === undefined || last === undefined || last.observation !== undefined) return actions;
  if (!isBlank(text, last.policy.start, last.policy.end)) return actions;
  const end = last.policy.end;
  const { observation } = before;
  const grown: Action =
    observation === undefined
      ? { ...before, policy: { start: before.policy.start, end } }
      : { ...before, observation: { ...observation, whole: { start: observation.whole.start, end } } };
  return [...actions.slice(0, -2), grown];
}

/** The last action with an answer after which no search was executed and nothing came back. */
function finalAction(actions: readonly Action[]): number | undefined {
  for (let i = actions.length - 1; i >= 0; i--) {
    const action = actions[i];
    if (action === undefined || action.observation !== undefined) return undefined;
    if (action.answer !== undefined) return i;
    if (action.queries.length > 0) return undefined;
  }
  return undefined;
}

const endsInTail = (actions: readonly Action[]): boolean => {
  const last = actions.at(-1);
  return last !== undefined && last.observation === undefined && last.queries.length === 0;
};

/** From the first action that is no turn to the end. */
function tailOf(text: string, first: Action | undefined): Span | undefined {
  return first === undefined ? undefined : { start: first.policy.start, end: text.length };
}

function turnOf(text: string, action: Action, index: number, dialect: Dialect): Turn {
  const ineligible = whyIneligible(text, action);
  const { observation } = action;
  return {
    index,
    policy: action.policy,
    querySpans: action.queries,
    queries: action.queries.flatMap((span) => queriesIn(text.slice(span.start, span.end), dialect)),
    ...(observation === undefined ? {} : { observation: observation.whole }),
    ...(observation?.result === undefined ? {} : { result: observation.result }),
    ...(action.think === undefined ? {} : { think: action.think }),
    ...(ineligible === undefined ? {} : { ineligible }),
    ...(action.ids === undefined ? {} : { ids: action.ids }),
  };
}

/** A tool call that is not JSON is its own query. */
function queriesIn(inside: string, dialect: Dialect): readonly string[] {
  const call = dialect.query?.kind === 'json-call' ? readCall(inside) : undefined;
  return call === undefined ? [inside.trim()] : queriesOfCall(call);
}

function whyIneligible(text: string, { queries, observation }: Action): Ineligible | undefined {
  if (observation !== undefined && observation.result === undefined) return 'invalid action';
  if (queries.length === 0) return 'no search';
  if (observation?.result === undefined) return 'no observation';
  return isBlank(text, observation.result.start, observation.result.end) ? 'empty observation' : undefined;
}

function finalOf(text: string, action: Action): FinalTurn | undefined {
  if (action.answer === undefined) return undefined;
  const { start, end } = action.answer;
  return {
    policy: action.policy,
    ...(action.think === undefined ? {} : { think: action.think }),
    answerSpan: action.answer,
    answer: (action.called === true && text[start - 1] === '"' ? unescaped(text.slice(start, end)) : text.slice(start, end)).trim(),
  };
}
