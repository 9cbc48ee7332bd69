import { tagKinds } from './dialect';
import type { Dialect, TagKind, TagPair } from './dialect';
import { scannedTags } from './scannedTags';
import { occurrences, skipWhitespace } from './textSearch';

/** One tag, or the environment's message about an invalid action, where it stands in a text. */
export interface TagHit {
  readonly kind: TagKind | 'invalid-action';
  readonly closes: boolean;
  readonly start: number;
  readonly end: number;
}

/** Every tag of the dialect in the text, in order. Plain string searches and single passes: the work grows with the text alone. */
export function findTags(text: string, dialect: Dialect): readonly TagHit[] {
  if (dialect.labels !== undefined || dialect.fenced === true) return [];
  const messages = occurrences(text, dialect.invalidAction).map((start): TagHit => {
    return { kind: 'invalid-action', closes: false, start, end: start + dialect.invalidAction.length };
  });
  const scanned = scannedTags(text, dialect);
  const tags = [
    ...(scanned?.hits ?? []),
    ...tagKinds.filter((kind) => scanned?.kinds.includes(kind) !== true).flatMap((kind) => pairHits(text, dialect.tags[kind], kind)),
    ...(dialect.moreTools ?? []).flatMap((tool) => [...pairHits(text, tool.search, 'search'), ...pairHits(text, tool.observation, 'observation')]),
  ];
  return [...outside(once(tags.sort(byStart)), messages), ...messages].sort(byStart);
}

/** Tools may share a tag. */
const once = (tags: readonly TagHit[]): readonly TagHit[] => tags.filter(({ start, end }, i) => tags[i - 1]?.start !== start || tags[i - 1]?.end !== end);

function pairHits(text: string, pair: TagPair, kind: TagKind): TagHit[] {
  const opening = hits(text, pair.open, kind, false);
  return [...opening, ...(isBraced(pair) ? bracesOf(text, opening, kind) : hits(text, pair.close, kind, true))];
}

const isBraced = ({ open, close }: TagPair): boolean => close === '}' && open.endsWith('{');

/** The brace that closes each opening tag; one pass, so that a brace closes one tag alone. */
function bracesOf(text: string, opening: readonly TagHit[], kind: TagKind): TagHit[] {
  const found: TagHit[] = [];
  let from = 0;
  for (const { end } of opening) {
    if (end < from) continue;
    const close = closingBrace(text, end);
    if (close === undefined) break;
    found.push({ kind, closes: true, start: close, end: close + 1 });
    from = close;
  }
  return found;
}

/** Where the brace that was opened before `from` is closed. */
export function closingBrace(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at;
  }
  return undefined;
}

const byStart = (a: TagHit, b: TagHit): number => a.start - b.start;

function hits(text: string, tag: string, kind: TagKind, closes: boolean): TagHit[] {
  return occurrences(text, tag).map((start) => ({ kind, closes, start, end: start + tag.length }));
}

/** The message names the tags: those are not tags. Both lists are sorted. */
function outside(tags: readonly TagHit[], messages: readonly TagHit[]): TagHit[] {
  let next = 0;
  return tags.filter((tag) => {
    while (next < messages.length && (messages[next]?.end ?? 0) <= tag.start) next++;
    const message = messages[next];
    return message === undefined || tag.end <= message.start;
  });
}

/** The tags of a text, with what can be said of each index by one pass from the end. */
export interface TagMap {
  readonly text: string;
  readonly dialect: Dialect;
  readonly hits: readonly TagHit[];
  /** The first hit at or after it that opens an observation right after a search. */
  readonly nextAnswered: readonly number[];
  /** Whether the first think tag at or after it closes. */
  readonly thinkCloses: readonly boolean[];
}

export function mapTags(text: string, dialect: Dialect): TagMap {
  const hits = findTags(text, dialect);
  const nextAnswered = new Array<number>(hits.length + 1).fill(hits.length);
  const thinkCloses = new Array<boolean>(hits.length + 1).fill(false);
  for (let i = hits.length - 1; i >= 0; i--) {
    nextAnswered[i] = answersSearch(text, hits, i) ? i : (nextAnswered[i + 1] ?? hits.length);
    thinkCloses[i] = hits[i]?.kind === 'think' ? hits[i]?.closes === true : thinkCloses[i + 1] === true;
  }
  return { text, dialect, hits, nextAnswered, thinkCloses };
}

function answersSearch(text: string, hits: readonly TagHit[], index: number): boolean {
  const [before, hit] = [hits[index - 1], hits[index]];
  if (hit?.kind !== 'observation' || hit.closes) return false;
  return before?.kind === 'search' && before.closes && skipWhitespace(text, before.end) === hit.start;
}
