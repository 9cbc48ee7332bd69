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
  if (isList(content) && parts.some(isResult)) return inOrder(message, role, content);
  const reasoning = message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'] ?? thoughtIn(parts);
  const answers = message['tool_call_id'];
  const kept = parts.some(isApart) ? parts.filter((part) => !isApart(part)) : content;
  return [
    {
      role: roleOf(role),
      content: contentText(kept),
      calls: [...callsIn(message['tool_calls'] ?? legacyCall(message)), ...parts.filter(isCall).map(callOf)],
      ...(isText(reasoning) && reasoning.trim() !== '' ? { reasoning } : {}),
      ...(isText(answers) ? { answers } : {}),
    },
  ];
}

/** Parts that are no words of the message: calls, and what was thought before it. */
const isApart = (part: Row): boolean => isCall(part) || isThought(part['type']);
const isCall = ({ type }: Row): boolean => type === 'tool_use' || type === 'server_tool_use';
const isThought = (type: unknown): boolean => type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking';

/** What the policy thought, in parts of the content (Anthropic, Inspect, LangChain). */
function thoughtIn(parts: readonly Row[]): string | undefined {
  const thoughts = parts.filter(({ type }) => isThought(type)).map((part) => contentText(part['thinking'] ?? part['reasoning'] ?? part['text'] ?? part['summary']));
  return thoughts.length === 0 ? undefined : thoughts.filter((thought) => thought !== '').join('\n');
}

const isResult = ({ type }: Row): boolean => isText(type) && /^(?:[a-z_]+_)?tool_result$/.test(type);

/**
 * A message with results of tools in it: each is an answer, and what stands around it was said by whose message it is. In a message of the policy they are
 * of calls that its provider ran.
 */
function inOrder(message: Row, role: string, content: readonly unknown[]): readonly Said[] {
  const said: Said[] = [];
  let around: unknown[] = [];
  const say = (): void => {
    const own = around.length === 0 ? [] : (saidBy({ role, content: around }) ?? []);
    said.push(...own.filter(({ content: text, calls, reasoning }) => text !== '' || calls.length > 0 || reasoning !== undefined));
    around = [];
  };
  for (const part of content) {
    if (!isRow(part) || !isResult(part)) {
      around.push(part);
      continue;
    }
    say();
    said.push(toolResult(part));
  }
  say();
  const more = callsIn(message['tool_calls']);
  return more.length === 0 ? said : [...said, { role: roleOf(role), content: '', calls: more }];
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
