import { Fields } from './fields';
import { kindOf, spanOf } from './json';
import type { ChatMessage, Prompt } from './model';
import { promptOfText } from './question';

/** What stood before the first turn: recorded ids, else the recorded text, else messages, else the contract's own prompt. */
export function readPrompt(record: Fields, tokens: Fields | undefined): Prompt {
  const ids = tokens?.ids('prompt');
  const recorded = recordedText(record);
  const messages = readMessages(record);
  if (ids !== undefined && ids.length > 0) {
    return recorded !== undefined && 'text' in recorded && recorded.text !== undefined ? { kind: 'ids', ids, text: recorded.text } : { kind: 'ids', ids };
  }
  return recorded ?? messages ?? { kind: 'contract' };
}

/** A text; `{"stripped": …}` is one whose special tokens a dump has dropped, which a text that reads like one is too. */
function recordedText(record: Fields): Prompt | undefined {
  const node = record.node('prompt');
  if (node?.type === 'object') {
    const fields = new Fields('"prompt"', node, []);
    const [stripped, text] = [fields.text('stripped'), fields.text('text')];
    if (stripped !== undefined) return { kind: 'stripped', text: String(stripped.value) };
    if (text !== undefined) return { kind: 'text', text: String(text.value) };
  }
  const text = record.text('prompt');
  return text === undefined || text.value === '' ? undefined : promptOfText(String(text.value));
}

function readMessages(record: Fields): Prompt | undefined {
  const list = record.nested('messages', 'array');
  if (list === undefined) return undefined;
  const messages: ChatMessage[] = [];
  for (const node of list.children ?? []) {
    const fields = node.type === 'object' ? new Fields('a message', node, []) : undefined;
    const [role, content] = [fields?.text('role'), fields?.text('content')];
    if (role !== undefined && content !== undefined) messages.push({ role: String(role.value), content: String(content.value) });
    else record.report('wrong-type', 'warning', `A message is ${kindOf(node)} without "role" and "content" as text; it is left out.`, spanOf(node));
  }
  return messages.length > 0 ? { kind: 'messages', messages } : undefined;
}
