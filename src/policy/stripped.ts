import type { ChatMessage } from '../replay/requests';

/** Names of roles in templates, and what they are called in messages. */
const roles: ReadonlyMap<string, string> = new Map([...['system', 'user', 'assistant', 'tool', 'developer'].map((role) => [role, role] as const), ['model', 'assistant']]);

/** Tries enough for any prompt of a rollout, few enough for a hostile one. */
const mostCandidates = 64;

/**
 * Conversations that `text` may be the remains of: a dump that dropped special tokens leaves each message as a line with its role and then its content, and a last line
 * `assistant` (`model`) from the generation prompt. A content may hold such a line of its own, so conversations that alternate come first, then those with more messages.
 * `system`: a template may write a system message of its own; the candidates without it come too.
 */
export function strippedConversations(text: string): readonly (readonly ChatMessage[])[] {
  const lines = text.split('\n');
  const heads = lines.flatMap((line, index) => (roles.has(line) ? [index] : []));
  const end = heads.at(-1);
  if (end === undefined || roles.get(lines[end] ?? '') !== 'assistant' || lines.slice(end + 1).some((line) => line !== '') || heads[0] !== 0) return gluedConversations(text);
  const inner = heads.slice(1, -1).slice(0, 6);
  const candidates: ChatMessage[][] = [];
  for (let mask = (1 << inner.length) - 1; mask >= 0 && candidates.length < mostCandidates; mask--) {
    const starts = [0, ...inner.filter((_, bit) => (mask >> bit) & 1), end];
    const messages = starts.slice(0, -1).map((start, index) => ({ role: roles.get(lines[start] ?? '') ?? '', content: lines.slice(start + 1, starts[index + 1]).join('\n') }));
    candidates.push(messages);
    if (messages[0]?.role === 'system' && messages.length > 1) candidates.push(messages.slice(1));
  }
  return candidates.sort((a, b) => rank(a) - rank(b));
}

/** The same of templates that end a message in a token alone (Llama): the next role follows right after what was said, and a blank line after it. */
function gluedConversations(text: string): readonly (readonly ChatMessage[])[] {
  const heads = [...text.matchAll(/(system|user|assistant|tool|ipython)\n\n/g)].slice(0, mostCandidates);
  const last = heads.at(-1);
  if (heads[0]?.index !== 0 || last?.[1] !== 'assistant' || last.index + last[0].length !== text.length) return [];
  const messages = heads.slice(0, -1).map((head, i) => ({ role: head[1] ?? '', content: text.slice(head.index + head[0].length, heads[i + 1]?.index) }));
  return messages[0]?.role === 'system' && messages.length > 1 ? [messages, messages.slice(1)] : [messages];
}

/** Lower is likelier: an opening system message at most, then user and assistant in turn, ending with what is to be answered. */
function rank(messages: readonly ChatMessage[]): number {
  const turns = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const alternates = turns.every((message, index) => (index % 2 === 0 ? message.role === 'user' || message.role === 'tool' : message.role === 'assistant'));
  return (alternates ? 0 : 100) - messages.length;
}
