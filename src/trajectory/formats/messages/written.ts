import { nestsTooDeep } from '../../json';
import { readLiteral } from '../../literal';
import { isList, isMessage, isText } from '../row';
import type { Row } from '../row';

/** Whether a text begins as one that writes out messages. */
export const beginsMessages = (value: unknown): boolean => isText(value) && /^\s*\[\s*\{\s*["'](?:role|from|content|value)["']/.test(value);

/** A list of messages, or the text that writes one out, as JSON or as Python does; tables that hold no lists have it so. */
export function messagesIn(value: unknown): readonly Row[] | undefined {
  const list = isText(value) && beginsMessages(value) ? writtenOut(value) : value;
  return isList(list) && list.length > 0 && list.every(isMessage) ? list : undefined;
}

function writtenOut(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return nestsTooDeep(value) ? undefined : value;
  } catch {
    return readLiteral(text.trim());
  }
}
