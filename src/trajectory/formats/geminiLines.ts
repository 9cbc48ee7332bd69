import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** What the lines of a session come to. */
interface Session {
  /** What is said of the session. */
  readonly about: Row;
  readonly messages: readonly Row[];
  /** Messages that were taken back, or put aside when the history was written anew. */
  readonly taken: readonly (readonly Row[])[];
}

/** A session only grows: a message is written again when it is complete, `$rewindTo` takes back one and all after it, `$set` gives what changed. */
export function geminiLines(lines: readonly Row[]): Session {
  let about: Row = {};
  let messages: Row[] = [];
  const placeOf = new Map<string, number>();
  const taken: (readonly Row[])[] = [];
  const put = (message: Row): void => {
    const id = idOf(message);
    const place = (id === undefined ? undefined : placeOf.get(id)) ?? messages.length;
    messages[place] = message;
    if (id !== undefined) placeOf.set(id, place);
  };
  for (const line of lines) {
    const { $rewindTo: back, $set: set } = line;
    if (isText(back)) {
      const gone = messages.splice(placeOf.get(back) ?? 0);
      for (const id of gone.map(idOf)) if (id !== undefined) placeOf.delete(id);
      if (gone.length > 0) taken.push(gone);
      continue;
    }
    if (isText(line['type']) && idOf(line) !== undefined) {
      put(line);
      continue;
    }
    const said = isRow(set) ? set : line;
    about = { ...about, ...said };
    if (!isList(said['messages'])) continue;
    const before = messages;
    messages = [];
    placeOf.clear();
    for (const message of said['messages']) if (isRow(message)) put(message);
    const gone = before.filter((message) => !placeOf.has(idOf(message) ?? ''));
    if (gone.length > 0) taken.push(gone);
  }
  return { about, messages, taken };
}

const idOf = ({ id }: Row): string | undefined => (isText(id) ? id : undefined);
