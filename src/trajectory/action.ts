import { refine } from './actionParts';
import type { TurnTokens, Span } from './model';
import type { TagHit, TagMap } from './tags';

/** One policy action as it stands in the text: everything the policy wrote until the environment answered or the text ended. */
export interface Action {
  readonly policy: Span;
  readonly think?: Span;
  /** Inside the search tags, in order. */
  readonly queries: readonly Span[];
  /** Inside the answer tags. */
  readonly answer?: Span;
  /** The answer stands in a call, as a string of JSON or in a tag: nothing that comes back for it is read by the policy, where it is the last. */
  readonly called?: true;
  /** Everything the environment wrote after it, and the text inside its tags. */
  readonly observation?: Observation;
  readonly ids?: TurnTokens;
}

export interface Observation {
  readonly whole: Span;
  /** Absent: the environment's message about an invalid action. */
  readonly result?: Span;
  /** The environment cut it: no closing tag. */
  readonly truncated?: boolean;
}

interface Pair {
  readonly inside: Span;
  readonly inThink: boolean;
}

/**
 * The parts of an action, from the tags within it (`hits[from..to)`).
 * Think: the first pair. Queries: each closing tag with the last opening one before it; those inside think tags only where there is no other.
 * Answer: the last pair, opened by the first opening tag after the pair before it, as the official scorers' `<answer>(.*?)</answer>` reads it.
 */
export function readAction({ text, dialect, hits, thinkCloses }: TagMap, from: number, to: number, policy: Span): Action {
  const queries: Pair[] = [];
  let think: Span | undefined;
  let thinkOpen: TagHit | undefined;
  let searchOpen: TagHit | undefined;
  let answerOpen: TagHit | undefined;
  let answer: Span | undefined;
  for (let i = from; i < to; i++) {
    const hit = hits[i];
    if (hit === undefined) break;
    if (hit.kind === 'think') {
      if (!hit.closes) thinkOpen ??= hit;
      else if (thinkOpen !== undefined) {
        think ??= between(thinkOpen, hit);
        thinkOpen = undefined;
      }
    } else if (hit.kind === 'search') {
      if (!hit.closes) searchOpen = hit;
      else if (searchOpen !== undefined) {
        queries.push({ inside: between(searchOpen, hit), inThink: thinkOpen !== undefined && thinkCloses[i] === true });
        searchOpen = undefined;
      }
    } else if (hit.kind === 'answer') {
      if (!hit.closes) answerOpen ??= hit;
      else if (answerOpen !== undefined) {
        answer = between(answerOpen, hit);
        answerOpen = undefined;
      }
    }
  }
  const outside = queries.filter((query) => !query.inThink);
  const action: Action = {
    policy,
    queries: (outside.length > 0 ? outside : queries).map((query) => query.inside),
    ...(think === undefined ? {} : { think }),
    ...(answer === undefined ? {} : { answer }),
  };
  return refine(text, action, dialect);
}

const between = (open: TagHit, close: TagHit): Span => ({ start: open.end, end: close.start });

/** The same action in a text before which `by` more code units stand. */
export function shiftAction(action: Action, by: number): Action {
  if (by === 0) return action;
  const move = (span: Span): Span => ({ start: span.start + by, end: span.end + by });
  const { think, answer } = action;
  const observation = shiftObservation(action.observation, by);
  return {
    ...action,
    policy: move(action.policy),
    queries: action.queries.map(move),
    ...(think === undefined ? {} : { think: move(think) }),
    ...(answer === undefined ? {} : { answer: move(answer) }),
    ...(observation === undefined ? {} : { observation }),
  };
}

export function shiftObservation(observation: Observation | undefined, by: number): Observation | undefined {
  if (observation === undefined) return undefined;
  const move = (span: Span): Span => ({ start: span.start + by, end: span.end + by });
  const { whole, result } = observation;
  return { ...observation, whole: move(whole), ...(result === undefined ? {} : { result: move(result) }) };
}
