import type { Dialect } from './dialect';
import type { Action } from './action';
import type { Span } from './model';

/** A turn by its parts; each stands in the text exactly as given. */
export interface TurnParts {
  readonly think?: string;
  /** Parallel queries of one action. */
  readonly searches?: readonly string[];
  /** What came back, without the environment's tags. */
  readonly result?: string;
  readonly answer?: string;
}

/** The text of a turn as policy and environment write it in this dialect; `segment` reads it back. A turn without `think` gets no think tags. */
export function renderTurn(parts: TurnParts, dialect: Dialect): string {
  return layTurn(parts, dialect, 0).text;
}

/** The same, with where the parts stand; offsets count from `start`. */
export function layTurn(parts: TurnParts, dialect: Dialect, start: number): { readonly text: string; readonly action: Action } {
  const { tags } = dialect;
  let text = '';
  const write = (literal: string): void => {
    text += literal;
  };
  const writeInside = (tag: { readonly open: string; readonly close: string }, inside: string): Span => {
    if (text !== '') write(dialect.beforeAction);
    return wrap(tag, inside);
  };
  const wrap = (tag: { readonly open: string; readonly close: string }, inside: string): Span => {
    const from = start + text.length + tag.open.length;
    write(tag.open + inside + tag.close);
    return { start: from, end: from + inside.length };
  };

  const think = parts.think === undefined ? undefined : writeInside(tags.think, parts.think);
  const queries = (parts.searches ?? []).map((query) => writeInside(tags.search, query));
  const answer = parts.answer === undefined ? undefined : writeInside(tags.answer, parts.answer);
  const policy = { start, end: start + text.length };
  let result: Span | undefined;
  if (parts.result !== undefined) {
    write(dialect.beforeObservation);
    result = wrap(tags.observation, parts.result);
    write(dialect.afterObservation);
  }
  const action: Action = {
    policy,
    queries,
    ...(think === undefined ? {} : { think }),
    ...(answer === undefined ? {} : { answer }),
    ...(result === undefined ? {} : { observation: { whole: { start: policy.end, end: start + text.length }, result } }),
  };
  return { text, action };
}
