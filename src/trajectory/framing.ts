import { parseNonFinite } from './nonFinite';
import type { TopLevel, ValueKind } from './topLevel';
import { ValueScanner } from './values';
import type { OpenContainers } from './values';

/** How a file's records stand in it. */
export type Framing =
  /** The whole file is one. */
  | { readonly kind: 'document' }
  /** One a line. */
  | { readonly kind: 'lines' }
  /** Rows that stand so, and hold several records each. */
  | { readonly kind: 'rows'; readonly rows: Exclude<Framing, { kind: 'rows' }> }
  /** JSON values, in containers or one after the other. */
  | { readonly kind: 'values'; readonly open: OpenContainers; /** Of the outermost object: the member that holds them. */ readonly key?: string; /** Records stand in an object, which other files do too: they must be plain. */ readonly nested?: true }
  /** Chats as plain text, one after the other. */
  | { readonly kind: 'chats' };

/** The start of a record; `cut`: the text breaks off in it. */
export interface Sample {
  readonly text: string;
  readonly cut: boolean;
}

/** Rollouts that do nothing may come first. */
const enough = 20;

/** The first records of a text that begins a file. `more`: the file goes on after it. */
export function samples(text: string, framing: Framing, more: boolean): readonly Sample[] {
  switch (framing.kind) {
    case 'lines':
      return firstLines(text, more);
    case 'values':
      return firstValues(text, framing.open, framing.key);
    default:
      return [{ text, cut: more }];
  }
}

/** The values of a text's lines where the first one is a value of its own; what is damaged, or cut by the end of the text, is left out. */
export function lineValues(text: string): readonly unknown[] {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  if (lines[0]?.startsWith('{') !== true || 'fault' in parseNonFinite(lines[0])) return [];
  return lines.flatMap((line) => {
    const parsed = parseNonFinite(line);
    return 'fault' in parsed ? [] : [parsed.value];
  });
}

/** Lines that begin an object or a list: what stands between them does not hide what the others are. */
function firstLines(text: string, more: boolean): readonly Sample[] {
  const lines = text.split('\n', 200);
  const last = text.split('\n').length - 1;
  return lines
    .map((line, i) => ({ text: line.trim(), cut: more && i === last }))
    .filter((line) => /^[[{]/.test(line.text))
    .slice(0, enough);
}

function firstValues(text: string, open: OpenContainers, key?: string): readonly Sample[] {
  const bytes = new TextEncoder().encode(text);
  const scanner = new ValueScanner(open, 'utf-8', key);
  scanner.scan(bytes);
  const whole = scanner.records.length;
  scanner.end();
  return scanner.records
    .slice(0, enough)
    .map(({ start, end }, i) => ({ text: new TextDecoder().decode(bytes.subarray(start, end)), cut: i >= whole }))
    .filter((sample) => /^[[{]/.test(sample.text));
}

/** The framings that a JSON text may have, the likeliest first; blank space and NUL bytes before it are cut off. */
export function framingsOf(text: string, top: TopLevel): readonly Framing[] {
  const lines: Framing = { kind: 'lines' };
  const values: Framing = { kind: 'values', open: [] };
  if (text.startsWith('[')) return [{ kind: 'values', open: ['['] }, values];
  return lineByLine(text) ? [lines, ...nestedFramings(top)] : [values, ...nestedFramings(top), lines];
}

/** Keys under which files keep all their rollouts. */
const lists = ['results', 'rollouts', 'trajectories', 'data', 'records', 'items', 'episodes', 'examples', 'outputs'];

const listUnder = (key: string): Framing => ({ kind: 'values', open: ['{', '['], nested: true, key });

/** The samples of an Inspect log, which has other lists beside them. */
export const inspectFraming = listUnder('samples');

/** The simulations of τ²-bench, whose files hold a list of tasks before them. */
export const tauFraming = listUnder('simulations');

/** InterCode's tasks by number, beside what is said of the run. */
const interCodeFraming: Framing = { kind: 'values', open: ['{', '{'], nested: true, key: 'logs' };

const isObject = (kind: ValueKind | undefined): boolean => kind === 'object' || kind === 'unknown';
/** Whether a member may be a list: it is one, or the text breaks off before it. */
export const isList = (kind: ValueKind | undefined): boolean => kind === 'array' || kind === 'unknown';

/** Rollouts by name, or in a list of their own beside what is said of the run. */
function nestedFramings({ keys }: TopLevel): readonly Framing[] {
  const kinds = [...keys.values()];
  const members: Framing = { kind: 'values', open: ['{'], nested: true };
  if (kinds.length > 0 && kinds.every(isObject)) return isObject(keys.get('logs')) ? [interCodeFraming, members] : [members];
  if (isList(keys.get('samples'))) return [inspectFraming];
  if (isList(keys.get('simulations'))) return [tauFraming];
  const arrays = [...keys].filter(([, kind]) => kind === 'array').map(([key]) => key);
  const [only] = arrays;
  return only !== undefined && arrays.length === 1 && lists.includes(only) ? [listUnder(only)] : [];
}

/** Whether the first line is a value of its own, or is damaged while another is. A text of one line that goes on is taken for such. */
function lineByLine(text: string): boolean {
  const lines = text.split('\n', 50).map((line) => line.trim());
  const [first = '', ...others] = lines.filter((line) => line !== '');
  if (isValue(first)) return true;
  if (firstValues(first, []).length > 1) return false;
  return others.length === 0 || (first.length > 1 && others.some(isValue));
}

function isValue(line: string): boolean {
  return /^\{".*\}$/.test(line) && !('fault' in parseNonFinite(line));
}
