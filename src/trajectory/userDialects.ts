import { searchR1, tagKinds } from './dialect';
import type { Dialect, TagKind, TagPair } from './dialect';
import { isRow } from './formats/row';

/** What a user wrote, as far as it is a dialect, and one sentence for each entry that is none. */
export interface UserDialects {
  readonly dialects: readonly Dialect[];
  readonly problems: readonly string[];
}

const texts = ['beforeAction', 'beforeObservation', 'afterObservation', 'invalidAction'] as const;

/** Reads dialects from JSON. What an entry leaves out is as `search-r1` has it. */
export function readUserDialects(entries: unknown): UserDialects {
  if (!Array.isArray(entries)) return { dialects: [], problems: ['Dialects are a list of objects with an id and tags.'] };
  const read = entries.map((entry: unknown, i) => readOne(entry, `Dialect ${i + 1}`));
  return { dialects: read.filter((d) => typeof d !== 'string'), problems: read.filter((d) => typeof d === 'string') };
}

function readOne(entry: unknown, place: string): Dialect | string {
  if (!isRow(entry) || typeof entry['id'] !== 'string' || entry['id'] === '') return `${place} has no id.`;
  const tags: Record<TagKind, TagPair> = { ...searchR1.tags };
  const given = isRow(entry['tags']) ? entry['tags'] : {};
  for (const kind of tagKinds) {
    const pair = given[kind];
    if (pair === undefined) continue;
    const open = isRow(pair) ? pair['open'] : undefined;
    const close = isRow(pair) ? pair['close'] : undefined;
    if (typeof open !== 'string' || typeof close !== 'string' || open === '' || close === '') return `${place} (${entry['id']}): tags.${kind} needs a text in open and in close.`;
    tags[kind] = { open, close };
  }
  const own: Partial<Record<(typeof texts)[number] | 'endOfAction', string>> = {};
  for (const key of [...texts, 'endOfAction'] as const) {
    const text = entry[key];
    if (text === undefined) continue;
    if (typeof text !== 'string') return `${place} (${entry['id']}): ${key} must be a text.`;
    own[key] = text;
  }
  const { separator } = entry;
  if (separator !== undefined && (typeof separator !== 'string' || separator === '')) return `${place} (${entry['id']}): separator must be a text.`;
  return { ...searchR1, ...own, id: entry['id'], tags, ...(separator === undefined ? {} : { query: { kind: 'list' as const, separator } }) };
}
