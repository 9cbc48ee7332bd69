import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** The messages of a sample: its own list, or ranges of its pool. */
export function pooled(row: Row): readonly Row[] {
  if (isList(row['messages'])) return row['messages'].filter(isRow);
  return ranges(row['message_refs'], poolOf(row));
}

/** The messages that the sample's events refer to, each once. */
export function poolOf({ message_chunks: chunks, message_pool: pool, events_data: data }: Row): readonly Row[] {
  if (isList(chunks)) return chunks.flatMap((chunk) => (isList(chunk) ? chunk : [])).filter(isRow);
  const list = isRow(data) ? data['messages'] : pool;
  return isList(list) ? list.filter(isRow) : [];
}

/** More than any conversation; ranges of a pool may repeat it without end. */
const most = 100_000;

/** Half-open ranges of a pool, one after the other. */
export function ranges(refs: unknown, pool: readonly Row[]): readonly Row[] {
  const found: Row[] = [];
  for (const ref of isList(refs) ? refs : []) {
    const [start, end] = isList(ref) ? ref : [];
    if (typeof start !== 'number' || typeof end !== 'number') continue;
    for (const message of pool.slice(Math.max(0, start), Math.max(0, end))) {
      if (found.length >= most) return found;
      found.push(message);
    }
  }
  return found;
}

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
