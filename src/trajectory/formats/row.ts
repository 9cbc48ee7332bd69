import type { ChatMessage } from '../model';

/** One record as JSON: an object, its keys as the file writes them. */
export type Row = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key a list of messages that is a record of its own is read under. */
export const listKey = 'messages of a list';

/** A bare list of messages is a row too. */
export function rowOf(value: unknown): Row | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRow) ? { [listKey]: value } : undefined;
  return isRow(value) ? value : undefined;
}

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Numbers in their order, `null` for what is none; `undefined`: no list, or an empty one. */
export function numbersOf(value: unknown): readonly (number | null)[] | undefined {
  if (!isList(value) || value.length === 0) return undefined;
  return value.map((item) => (typeof item === 'number' ? item : null));
}

/** Ids and masks: a list of whole numbers, or nothing. */
export function wholeNumbersOf(value: unknown): readonly number[] | undefined {
  return isList(value) && value.length > 0 && value.every((item) => Number.isSafeInteger(item)) ? (value as readonly number[]) : undefined;
}

/** The row's columns but these. */
export function others(row: Row, ...used: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !used.includes(key)));
}

/** Columns that hold what was asked, the plainest first. */
export const questionColumns = ['question', 'query', 'Question', 'problem'];

/** What a row says was asked. */
export const questionIn = (row: Row): string | undefined => questionColumns.map((column) => row[column]).filter(isText).find((value) => value.trim() !== '');

/** The object without what is undefined in it. */
export function defined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>;
}

/** What a prompt is made of, in words: a text, or messages whose contents are texts. */
export const isMessage = (value: unknown): value is Row => isRow(value) && isText(value['role'] ?? value['from']);

export type { ChatMessage };
