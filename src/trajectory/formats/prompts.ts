import { findMark, templateOfChat } from '../chatTemplates';
import type { ChatMessage, Prompt } from '../model';
import { promptOfText, questionOf } from '../question';
import type { FoundQuestion } from '../question';
import { contentText } from './messages/content';
import { messagesIn } from './messages/written';
import { isText } from './row';

/** A prompt as a column holds it: text, or a list of messages (or the text that writes one out); anything else is none. */
export function promptIn(value: unknown): Prompt | undefined {
  const list = messagesIn(value);
  if (list === undefined) return isText(value) && value !== '' ? promptOfText(value) : undefined;
  const messages: ChatMessage[] = list.map((message) => ({ role: roleOf(message['role'] ?? message['from']), content: contentText(message['content'] ?? message['value']) }));
  return { kind: 'messages', messages };
}

const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ...['gpt', 'ai'].map((role) => [role, 'assistant'] as const),
  ...['function_response', 'observation', 'ipython'].map((role) => [role, 'tool'] as const),
]);

/** Names of roles as chat templates know them. */
export const roleOf = (role: unknown): string => (isText(role) ? (roles.get(role) ?? role) : 'user');

const labels = ['\nUser: ', '\nuser: ', 'question: ', 'Query: '];

/** As {@link questionOf}, and by the labels and headings of other prompts. */
export function askedIn(prompt: Prompt, agentPrompt?: string): FoundQuestion | undefined {
  const found = questionOf(prompt, agentPrompt);
  if (found?.guessed !== true) return found;
  const instruction = between(found.question, '### Instruction:\n', '\n### ');
  if (instruction !== undefined) return { question: instruction, guessed: false };
  for (const label of labels) {
    const at = found.question.lastIndexOf(label);
    const asked = at < 0 ? '' : found.question.slice(at + label.length).trim();
    if (asked !== '') return { question: asked, guessed: false };
  }
  return found;
}

function between(text: string, open: string, close: string): string | undefined {
  const at = text.indexOf(open);
  const end = at < 0 ? -1 : text.indexOf(close, at + open.length);
  const inside = end < 0 ? '' : text.slice(at + open.length, end).trim();
  return inside === '' ? undefined : inside;
}

/** Where a whole chat's text holds the prompt too: after the first mark of the policy's turn. `undefined`: it does not begin with a prompt. */
export function splitChat(text: string): { readonly prompt: Prompt; readonly rest: string } | undefined {
  const template = templateOfChat(text);
  const at = template === undefined ? strippedStart(text) : findMark(text, template.resumes, 0)?.end;
  return at === undefined ? undefined : { prompt: promptOfText(text.slice(0, at)), rest: text.slice(at) };
}

function strippedStart(text: string): number | undefined {
  if (!/^\s*(?:system|user)\n/.test(text)) return undefined;
  const mark = '\nassistant\n';
  const at = text.indexOf(mark);
  return at < 0 ? undefined : at + mark.length;
}
