import type { Dialect } from './dialect';
import type { Span } from './model';
import type { TagHit, TagMap } from './tags';
import { skipWhitespace } from './textSearch';

/**
 * Where an observation ends. Documents quote tags, so the first closing tag is not always the true one: it is the last closing tag before the next
 * policy text, and policy text shows itself by what follows a closing tag (the environment's blank line, then a policy tag) or by a search
 * that is followed by an observation of its own.
 */
export interface ObservationEnd {
  /** Text inside the tags. */
  readonly result: Span;
  /** Where the next policy text starts. */
  readonly end: number;
  /** No closing tag: the environment cut the observation. */
  readonly truncated: boolean;
}

/** How much the text after a closing tag looks like the policy's: 1 the most. */
type Tier = 1 | 2 | 3 | 4;

interface Candidate {
  readonly hit: TagHit;
  readonly index: number;
  readonly tier: Tier;
  /** Opening less closing tags since. */
  readonly depth: number;
}

/** The end of the observation that `hits[opening]` opens. */
export function observationEnd(map: TagMap, opening: number, dialect: Dialect): ObservationEnd {
  const start = map.hits[opening]?.end ?? 0;
  let candidate: Candidate | undefined;
  let from = opening + 1;
  for (;;) {
    const limit = map.nextAnswered[from] ?? map.hits.length;
    candidate = lastClosing(map, from, limit, candidate, dialect);
    const last = limit >= map.hits.length;
    const surplus = !last && (candidate === undefined || candidate.tier === 4) && closesMore(map, limit);
    if (candidate !== undefined && !surplus) return closed(map, start, candidate, dialect);
    const restart = surplus ? undefined : policyRestart(map, from, limit);
    if (restart !== undefined) return { result: { start, end: restart }, end: restart, truncated: true };
    if (last) return { result: { start, end: map.text.length }, end: map.text.length, truncated: true };
    // The next pair of search and observation is quoted by a document, which leaves a closing tag over for this one.
    from = limit + 1;
    if (candidate !== undefined) candidate = { ...candidate, depth: candidate.depth + 1 };
  }
}

/** The environment's text ends after what the dialect names, else after all whitespace; never within its message about an invalid action. */
function closed({ text, hits }: TagMap, start: number, { hit, index }: Candidate, { afterObservation }: Dialect): ObservationEnd {
  const named = afterObservation !== '' && text.startsWith(afterObservation, hit.end);
  const end = named ? hit.end + afterObservation.length : skipWhitespace(text, hit.end);
  return { result: { start, end: hit.start }, end: Math.min(end, hits[index + 1]?.start ?? text.length), truncated: false };
}

function lastClosing(map: TagMap, from: number, limit: number, before: Candidate | undefined, dialect: Dialect): Candidate | undefined {
  let candidate = before;
  for (let i = from; i < limit; i++) {
    const hit = map.hits[i];
    if (hit?.kind !== 'observation') continue;
    if (!hit.closes) {
      if (candidate !== undefined) candidate = { ...candidate, depth: candidate.depth + 1 };
      continue;
    }
    const tier = tierOf(map, i, dialect);
    if (candidate === undefined || replaces(tier, candidate)) candidate = { hit, index: i, tier, depth: 0 };
    else candidate = { ...candidate, depth: candidate.depth - 1 };
  }
  return candidate;
}

/** A closing tag that no opening one accounts for belongs to the document that quoted the earlier one. */
function replaces(tier: Tier, candidate: Candidate): boolean {
  return (candidate.depth <= 0 && tier <= candidate.tier) || (candidate.tier === 4 && tier <= 2);
}

function tierOf(map: TagMap, index: number, dialect: Dialect): Tier {
  const { text, hits } = map;
  const end = hits[index]?.end ?? 0;
  const next = skipWhitespace(text, end);
  if (next === text.length) return 1;
  const exact = text.startsWith(dialect.afterObservation, end);
  const tag = hits[index + 1];
  const policyTag = tag?.start === next && !tag.closes && tag.kind !== 'observation' && tag.kind !== 'invalid-action';
  if (exact) return policyTag ? 1 : 2;
  return policyTag || text.slice(end, next).includes('\n') ? 3 : 4;
}

/** Whether more observations are closed than opened from hit `from` to the next answered search. */
function closesMore(map: TagMap, from: number): boolean {
  const limit = map.nextAnswered[from + 1] ?? map.hits.length;
  let depth = 0;
  for (let i = from; i < limit; i++) {
    const hit = map.hits[i];
    if (hit?.kind === 'observation') depth += hit.closes ? -1 : 1;
  }
  return depth < 0;
}

/** With no closing tag up to hit `limit`, the policy goes on at its first think tag, else with the search or the answer that ends this stretch. */
function policyRestart(map: TagMap, from: number, limit: number): number | undefined {
  const { text, hits } = map;
  for (let i = from; i < limit; i++) {
    const hit = hits[i];
    if (hit?.kind === 'think' && !hit.closes) return hit.start;
  }
  const last = limit > from ? hits[limit - 1] : undefined;
  if (last === undefined || !last.closes || (last.kind !== 'search' && last.kind !== 'answer')) return undefined;
  if (limit === hits.length && skipWhitespace(text, last.end) < text.length) return undefined;
  for (let i = limit - 2; i >= from; i--) {
    const hit = hits[i];
    if (hit?.kind === last.kind && !hit.closes) return hit.start;
  }
  return undefined;
}
