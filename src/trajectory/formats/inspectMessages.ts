import type { Finding } from '../model';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** The messages that a sample's list and its events refer to, each kept once. */
export interface Pool {
  /** Half-open ranges, one after the other. */
  ranges(refs: unknown): readonly Row[];
  /** What was too much to be read. */
  notes(): readonly Finding[];
}

/** UTF-16 code units of messages that ranges become in all, over every reader of a sample: they may repeat the pool without end. */
const most = 128 * 1024 * 1024;
/** What a message counts at least. */
const least = 1024;

export function poolOf(row: Row): Pool {
  const messages = keptOnce(row);
  const sizes: number[] = [];
  let left = most;
  let more = 0;
  const take = (i: number): boolean => {
    left -= sizes[i] ??= Math.max(least, JSON.stringify(messages[i]).length);
    return left >= 0;
  };
  return {
    ranges: (refs) => {
      const found: Row[] = [];
      for (const ref of isList(refs) ? refs : []) {
        const [start, end] = isList(ref) ? ref : [];
        if (typeof start !== 'number' || typeof end !== 'number') continue;
        for (let i = Math.max(0, Math.trunc(start)); i < end; i++) {
          const message = messages[i];
          if (message === undefined) break;
          if (take(i)) found.push(message);
          else {
            more++;
            return found;
          }
        }
      }
      return found;
    },
    notes: () => (more === 0 ? [] : [{ code: 'damaged', severity: 'warning', message: `The sample's messages repeat one another more often than can be shown; ${String(more)} conversation(s) end early.` }]),
  };
}

function keptOnce({ message_chunks: chunks, message_pool: pool, events_data: data }: Row): readonly Row[] {
  if (isList(chunks)) return chunks.flatMap((chunk) => (isList(chunk) ? chunk : [])).filter(isRow);
  const list = isRow(data) ? data['messages'] : pool;
  return isList(list) ? list.filter(isRow) : [];
}

/** The messages of a sample: its own list, or ranges of its pool. */
export const messagesOf = (row: Row, pool: Pool): readonly Row[] => (isList(row['messages']) ? row['messages'].filter(isRow) : pool.ranges(row['message_refs']));

/** As a chat; what a failed call answers is what the model was told of its failure. */
export function inspectSaid(messages: readonly Row[]): readonly Said[] {
  return messages.flatMap((message) => saidIn(served(message).map(failing)) ?? []);
}

/** Calls that the model's provider ran are parts of the policy's message, results and all: those came from an environment. */
function served(message: Row): readonly Row[] {
  const { content, tool_calls: calls, ...rest } = message;
  if (message['role'] !== 'assistant' || !isList(content) || !content.some(isServed)) return [message];
  const messages: Row[] = [];
  let said: unknown[] = [];
  for (const part of content) {
    said.push(part);
    if (!isServed(part)) continue;
    messages.push({ ...rest, content: said }, { role: 'tool', tool_call_id: part['id'], content: part['error'] ?? part['result'] });
    said = [];
  }
  return said.length === 0 && calls === undefined ? messages : [...messages, { ...rest, content: said, tool_calls: calls }];
}

const isServed = (part: unknown): part is Row => isRow(part) && part['type'] === 'tool_use' && (part['result'] !== undefined || part['error'] !== undefined);

function failing(message: Row): Row {
  const { error, content } = message;
  const why = isRow(error) ? error['message'] : undefined;
  if (message['role'] !== 'tool' || !isText(why) || why === '') return message;
  if (isText(content) && content.includes(why)) return message;
  return { ...message, content: isText(content) && content !== '' ? `${content}\nError: ${why}` : `Error: ${why}` };
}
