import { deepest } from '../json';
import type { Finding } from '../model';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** Puts long texts back where a sample refers to them. */
export interface Resolver {
  text(value: unknown): unknown;
  message(message: Row): Row;
  /** What could not be put back. */
  notes(): readonly Finding[];
}

/** UTF-16 code units that references may become in all: a text of megabytes may be referred to thousands of times. */
const most = 256 * 1024 * 1024;
const reference = /^(?:attachment|tc):\/\/([0-9a-f]+)$/;

/** References are whole strings: `attachment://` (`tc://` before 0.3.50) and the hash of the text, or in a sample of chunks its index. */
export function resolver(row: Row): Resolver {
  const texts = attachmentsOf(row);
  let left = most;
  const missing = new Set<string>();
  const tooLong = new Set<string>();
  const put = (value: unknown, depth: number): unknown => {
    if (isText(value)) {
      const name = reference.exec(value)?.[1];
      if (name === undefined) return value;
      const text = texts.get(name);
      if (text === undefined) missing.add(name);
      else if (text.length > left) tooLong.add(name);
      else {
        left -= text.length;
        return text;
      }
      return value;
    }
    if (depth >= deepest) return value;
    if (isList(value)) return value.map((item) => put(item, depth + 1));
    return isRow(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, put(item, depth + 1)])) : value;
  };
  return {
    text: (value) => put(value, 0),
    message: (message) => Object.fromEntries(Object.entries(message).map(([key, item]) => [key, put(item, 0)])),
    notes: () => [
      ...(missing.size === 0 ? [] : [note(`${String(missing.size)} reference(s) to attachments that the sample does not hold`)]),
      ...(tooLong.size === 0 ? [] : [note(`${String(tooLong.size)} reference(s) to attachments that are too long to be put in`)]),
    ],
  };
}

const note = (what: string): Finding => ({ code: 'damaged', severity: 'warning', message: `The sample has ${what}; they are shown as they stand.` });

function attachmentsOf({ attachments, attachment_chunks: chunks }: Row): ReadonlyMap<string, string> {
  if (isList(chunks)) return new Map(chunks.flatMap((chunk) => (isList(chunk) ? chunk : [])).flatMap((text, i) => (isText(text) ? [[String(i), text] as const] : [])));
  return new Map(isRow(attachments) ? Object.entries(attachments).filter((entry): entry is [string, string] => isText(entry[1])) : []);
}
