import type { Action } from './action';
import type { Dialect, TagPair } from './dialect';
import { ticksAround } from './fenced';
import type { Span } from './model';
import { callText } from './toolCall';

/** A turn by its parts; each stands in the text exactly as given. */
export interface TurnParts {
  readonly think?: string;
  /** Parallel queries of one action. Where the dialect calls tools in JSON, each is a call, or a query that is put into one. */
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
  const page = new Page(start);
  const think = parts.think === undefined ? undefined : writeThink(page, parts.think, dialect, parts.answer !== undefined);
  const queries = writeSearches(page, parts.searches ?? [], dialect);
  const answer = parts.answer === undefined ? undefined : page.action(dialect.tags.answer, parts.answer, dialect);
  if (page.text !== '') page.write(dialect.endOfAction ?? '');
  const policy = { start, end: page.end };
  let result: Span | undefined;
  if (parts.result !== undefined) {
    page.write(dialect.beforeObservation);
    result = page.wrap(dialect.tags.observation, parts.result);
    page.write(dialect.afterObservation);
  }
  const action: Action = {
    policy,
    queries,
    ...(think === undefined ? {} : { think }),
    ...(answer === undefined ? {} : { answer }),
    ...(result === undefined ? {} : { observation: { whole: { start: policy.end, end: page.end }, result } }),
  };
  return { text: page.text, action };
}

function writeThink(page: Page, think: string, dialect: Dialect, answers: boolean): Span {
  if (dialect.reasoning === undefined) return page.wrap(dialect.tags.think, think);
  const span = page.write(think);
  if (dialect.reasoning === 'spanning' && answers) page.write(dialect.tags.think.close);
  return span;
}

function writeSearches(page: Page, searches: readonly string[], dialect: Dialect): readonly Span[] {
  const { query, tags } = dialect;
  if (searches.length === 0) return [];
  if (query?.kind === 'list') return page.list(searches, query.separator, dialect);
  page.write(dialect.aroundCalls?.open ?? '');
  const spans = searches.map((search, i) => {
    const touching = i === 0 && dialect.reasoning !== undefined;
    if (query?.kind !== 'json-call') return page.action(dialect.fenced === true ? fenceAround(search) : tags.search, search, dialect, touching);
    const call = callText(search, query.syntax);
    // A call in tags of its own is its tags too.
    return page.action(query.syntax === 'function-tags' ? { open: '', close: '' } : tags.search, call, dialect, touching, query.syntax === undefined ? '\n' : '');
  });
  page.write(dialect.aroundCalls?.close ?? '');
  return spans;
}

function fenceAround(command: string): TagPair {
  const ticks = ticksAround(command);
  return { open: `\n${ticks}\n`, close: `\n${ticks}` };
}

/** Text as it grows, at an offset. */
class Page {
  text = '';

  constructor(private readonly start: number) {}

  get end(): number {
    return this.start + this.text.length;
  }

  write(literal: string): Span {
    const start = this.end;
    this.text += literal;
    return { start, end: this.end };
  }

  wrap({ open, close }: TagPair, inside: string, padding = ''): Span {
    this.write(open + padding);
    const span = this.write(inside);
    this.write(padding + close);
    return span;
  }

  /** A part that is parted from what stands before it, unless it touches that. */
  action(tag: TagPair, inside: string, dialect: Dialect, touching = false, padding = ''): Span {
    if (this.text !== '' && !touching && !(dialect.reasoning === 'bare')) this.write(dialect.beforeAction);
    return this.wrap(tag, inside, padding);
  }

  list(items: readonly string[], separator: string, dialect: Dialect): readonly Span[] {
    const whole = this.action(dialect.tags.search, items.join(separator), dialect);
    let at = whole.start;
    return items.map((item) => {
      const span = { start: at, end: at + item.length };
      at = span.end + separator.length;
      return span;
    });
  }
}
