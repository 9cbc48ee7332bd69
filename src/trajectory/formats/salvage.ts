import { parseJson, tooDeep, valueOf } from '../json';
import { isRow } from './row';

/** What a record that is no JSON still holds. */
export interface Salvaged {
  readonly value: unknown;
  /** The same without the member, or element, in which it breaks off. Absent: it does not break off, and what is wrong was read over without loss. */
  readonly intact?: unknown;
  /** What is wrong, for people. */
  readonly fault: string;
}

/** Reads a record up to where it breaks. Its work grows with the text's length. `undefined`: nothing of it can be trusted. */
export function salvage(text: string): Salvaged | undefined {
  if (tooDeep(text) !== undefined) return undefined;
  const { root, faults } = parseJson(text);
  const broken = faults.find(({ breaks }) => breaks);
  if (broken === undefined) return root === undefined || faults[0] === undefined ? undefined : { value: valueOf(root), fault: faults[0].what };
  // A text that is not closed is kept as far as it goes; anything else ends before it.
  const end = broken.what === 'unexpected end of string' ? broken.at.end : broken.at.start;
  const value = valueOf(end === text.length ? root : parseJson(text.slice(0, end)).root);
  return { value, intact: withoutLast(value), fault: text.slice(end).trim() === '' ? 'it breaks off' : `character ${String(end + 1)}: ${broken.what}` };
}

function withoutLast(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, -1);
  return isRow(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : undefined;
}
