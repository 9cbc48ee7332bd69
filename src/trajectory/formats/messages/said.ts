import type { TurnTokens } from '../../model';
import { argumentsOf } from '../../toolCall';
import { roleOf } from '../prompts';
import { isList, isRow, isText } from '../row';
import type { Row } from '../row';
import { contentText } from './content';

/** One message of a chat, whichever interface wrote it. */
export interface Said {
  readonly role: string;
  readonly content: string;
  /** What the policy thought, where the interface keeps it apart. */
  readonly reasoning?: string;
  readonly calls: readonly Call[];
  /** Of a tool's answer: the call it answers. */
  readonly answers?: string;
  /** The policy's tokens, where the file records them. */
  readonly ids?: TurnTokens;
}

export interface Call {
  readonly id?: string;
  /** `{"name": …, "arguments": …}` */
  readonly text: string;
}

/** Messages as OpenAI, ShareGPT and Anthropic write them; `undefined`: the list holds something else. */
export function saidIn(list: unknown): readonly Said[] | undefined {
  if (!isList(list) || list.length === 0) return undefined;
  const said = list.map((item) => (isRow(item) ? saidBy(item) : undefined));
  return said.every((message) => message !== undefined) ? said.flat() : undefined;
}

function saidBy(message: Row): readonly Said[] | undefined {
  const role = message['role'] ?? message['from'];
  if (!isText(role)) return undefined;
  const content = message['content'] ?? message['value'];
  if (role === 'function_call') return [{ role: 'assistant', content: '', calls: [{ text: contentText(content) }] }];
  const parts = isList(content) ? content.filter(isRow) : [];
  const results = parts.filter((part) => part['type'] === 'tool_result');
  if (results.length > 0) return results.map(toolResult);
  const reasoning = message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'] ?? thoughtIn(parts);
  const answers = message['tool_call_id'];
  const kept = parts.some(isApart) ? parts.filter((part) => !isApart(part)) : content;
  return [
    {
      role: roleOf(role),
      content: contentText(kept),
      calls: [...callsIn(message['tool_calls'] ?? legacyCall(message)), ...parts.filter((part) => part['type'] === 'tool_use').map(callOf)],
      ...(isText(reasoning) && reasoning.trim() !== '' ? { reasoning } : {}),
      ...(isText(answers) ? { answers } : {}),
    },
  ];
}

/** Parts that are no words of the message: calls, and what was thought before it. */
const isApart = ({ type }: Row): boolean => type === 'tool_use' || isThought(type);
const isThought = (type: unknown): boolean => type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking';

/** What the policy thought, in parts of the content (Anthropic, Inspect, LangChain). */
function thoughtIn(parts: readonly Row[]): string | undefined {
  const thoughts = parts.filter(({ type }) => isThought(type)).map((part) => contentText(part['thinking'] ?? part['reasoning'] ?? part['text'] ?? part['summary']));
  return thoughts.length === 0 ? undefined : thoughts.filter((thought) => thought !== '').join('\n');
}

function toolResult(part: Row): Said {
  const answers = part['tool_use_id'];
  return { role: 'tool', content: contentText(part['content']), calls: [], ...(isText(answers) ? { answers } : {}) };
}

const legacyCall = ({ function_call: call }: Row): unknown => (isRow(call) ? [call] : undefined);

/** Calls are objects, or JSON text that writes them out. */
function callsIn(value: unknown): readonly Call[] {
  const list = argumentsOf(value);
  if (!isList(list)) return [];
  return list.map((item) => argumentsOf(item)).map((item) => (isRow(item) ? callOf(item) : { text: contentText(item) }));
}

/** `{"id", "function": {"name", "arguments"}}`, `{"id", "name", "input"}` and the like, as one text of JSON. */
export function callOf(item: Row): Call {
  const call = isRow(item['function']) ? item['function'] : item;
  const name = call['name'] ?? item['function'];
  const given = argumentsOf(call['arguments'] ?? call['input'] ?? call['args'] ?? {});
  const id = item['id'] ?? item['call_id'];
  return { text: JSON.stringify({ name, arguments: given }), ...(isText(id) ? { id } : {}) };
}
