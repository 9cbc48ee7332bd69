import { contentText } from './content';
import { saidIn } from './said';
import type { Said } from './said';
import { isList, isRow, isText } from '../row';
import type { Row } from '../row';

/** LangChain's kinds of messages, by the beginning of their names (`ai`, `AIMessage`, `AIMessageChunk`). */
const roles: readonly (readonly [start: string, role: string])[] = [
  ['human', 'user'],
  ['ai', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['tool', 'tool'],
  ['function', 'tool'],
];

/** Messages of LangChain in any of its spellings: `{"type": "ai", "content"}`, with the rest under `data`, or as a constructor with `kwargs`. */
export function langchainSaid(list: unknown): readonly Said[] | undefined {
  if (!isList(list) || list.length === 0) return undefined;
  const said: (readonly Said[])[] = [];
  for (const item of list) {
    const message = plain(item);
    if (message === undefined) return undefined;
    if (message['type'] === 'remove') continue;
    const one = saidIn([chatMessage(message)]);
    if (one === undefined) return undefined;
    said.push(one);
  }
  return said.flat();
}

/** Whether a list holds such messages, by its first one. */
export const isLangchain = (list: unknown): boolean => isList(list) && list.length > 0 && plain(list[0]) !== undefined;

/** A message's own keys and its type; `undefined`: it is none. */
function plain(item: unknown): Row | undefined {
  if (!isRow(item)) return undefined;
  const { lc, id, kwargs, data } = item;
  if (lc !== undefined && isRow(kwargs)) return known({ ...kwargs, type: isList(id) ? id.at(-1) : undefined });
  if (isRow(data) && item['content'] === undefined) return known({ ...data, type: item['type'] });
  return item['role'] === undefined && item['content'] !== undefined ? known(item) : undefined;
}

const known = (message: Row): Row | undefined => (message['type'] === 'remove' || roleOf(message) !== undefined ? message : undefined);

function roleOf({ type, role }: Row): string | undefined {
  if (!isText(type)) return undefined;
  const lower = type.toLowerCase();
  if (lower.startsWith('chat') && isText(role)) return role;
  return roles.find(([start]) => lower === start || lower.startsWith(`${start}message`))?.[1];
}

/** As OpenAI's interface has it. What was called stands in the content a second time where the model's own interface keeps it there. */
function chatMessage(message: Row): Row {
  const { content, additional_kwargs: more, tool_call_id: answers } = message;
  const extra = isRow(more) ? more : {};
  const listed = [...listOf(message['tool_calls']), ...listOf(message['invalid_tool_calls'])];
  const calls = listed.length > 0 ? listed : listOf(extra['tool_calls']);
  const parts = isList(content) && calls.length > 0 ? content.filter((part) => !(isRow(part) && /^(?:tool_use|tool_call|function_call)$/.test(String(part['type'])))) : content;
  return {
    role: roleOf(message) ?? 'user',
    content: isRow(parts) ? contentText(parts) : parts,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(extra['function_call'] === undefined || calls.length > 0 ? {} : { function_call: extra['function_call'] }),
    ...(isText(extra['reasoning_content']) ? { reasoning_content: extra['reasoning_content'] } : {}),
    ...(isText(answers) ? { tool_call_id: answers } : {}),
  };
}

const listOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);
