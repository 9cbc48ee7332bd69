import type { Prompt } from './model';

/** The question of a record that names none. */
export interface FoundQuestion {
  readonly question: string;
  /** The whole user message, for want of better. */
  readonly guessed: boolean;
}

/** How chat templates mark a user's message and its end. */
const markers: readonly (readonly [open: string, close: string])[] = [
  ['<|im_start|>user\n', '<|im_end|>'],
  ['<|im_start|>user<|im_sep|>', '<|im_end|>'],
  ['<|im_user|>user<|im_middle|>', '<|im_end|>'],
  ['<|start|>user<|message|>', '<|end|>'],
  ['<|start_header_id|>user<|end_header_id|>\n\n', '<|eot_id|>'],
  ['<start_of_turn>user\n', '<end_of_turn>'],
  ['<|user|>\n', '<|'],
  ['<｜User｜>', '<｜Assistant｜>'],
  ['[INST]', '[/INST]'],
];

/** Text with chat markers is a prompt as it stands; role lines alone are one whose special tokens a dump has dropped. */
export function promptOfText(text: string): Prompt {
  const marked = markers.some(([open]) => text.includes(open)) || /<\|[a-z_]{2,30}\|>/.test(text);
  return !marked && /(?:^|\n)(?:user|system)\n/.test(text) && (/assistant\n/.test(text) || withoutAssistant(text) !== text) ? { kind: 'stripped', text } : { kind: 'text', text };
}

/** From the contract's `agentPrompt` read backwards, else after the last `Question:` of the last user message, else that whole message. */
export function questionOf(prompt: Prompt, agentPrompt?: string): FoundQuestion | undefined {
  const messages = userMessages(prompt);
  if (agentPrompt !== undefined) {
    for (const message of messages) {
      const question = readBackwards(message, agentPrompt);
      if (question !== undefined) return { question, guessed: false };
    }
  }
  const last = messages[0]?.trim();
  if (last === undefined || last === '') return undefined;
  const label = 'Question:';
  const at = last.lastIndexOf(label);
  const asked = at < 0 ? '' : last.slice(at + label.length).trim();
  return asked === '' ? { question: last, guessed: true } : { question: asked, guessed: false };
}

/** What stands for `{question}` in a message that fills in this template. */
function readBackwards(message: string, template: string): string | undefined {
  const slot = '{question}';
  const at = template.indexOf(slot);
  if (at < 0) return undefined;
  const before = template.slice(0, at).trimStart();
  const after = template.slice(at + slot.length).trimEnd();
  const text = message.trim();
  if (text.length < before.trimEnd().length + after.length) return undefined;
  return text.startsWith(before) && text.endsWith(after) ? text.slice(before.length, text.length - after.length).trim() : undefined;
}

/** Candidates for the last user message, the likeliest first: its text may itself hold what looks like a role line. */
function userMessages(prompt: Prompt): readonly string[] {
  switch (prompt.kind) {
    case 'contract':
      return [];
    case 'messages':
      return prompt.messages.filter((message) => message.role === 'user').map((message) => message.content).reverse();
    case 'ids':
      return prompt.text === undefined ? [] : userMessages(promptOfText(prompt.text));
    case 'stripped':
      return strippedUserMessages(prompt.text);
    case 'text':
      return markedUserMessages(prompt.text);
  }
}

function markedUserMessages(text: string): readonly string[] {
  for (const [open, close] of markers) {
    const at = text.lastIndexOf(open);
    if (at < 0) continue;
    const rest = text.slice(at + open.length);
    const end = rest.indexOf(close);
    return [end < 0 ? rest : rest.slice(0, end)];
  }
  return [text];
}

function strippedUserMessages(text: string): readonly string[] {
  const candidates: string[] = [];
  const role = 'user\n';
  // The last line that reads `user` first, then earlier ones; a handful is plenty.
  for (let at = text.lastIndexOf(role); at >= 0 && candidates.length < 20; at = at === 0 ? -1 : text.lastIndexOf(role, at - 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    candidates.push(withoutAssistant(text.slice(at + role.length)));
  }
  // Where a template ends its messages in a token alone (Llama), the next role follows what was said.
  const glued = text.lastIndexOf(`${role}\n`);
  if (candidates.length === 0 && glued >= 0) candidates.push(withoutAssistant(text.slice(glued + role.length + 1)));
  return candidates.length > 0 ? candidates : [withoutAssistant(text)];
}

/** Cut where the assistant's turn begins: the last role line, behind which at most an opening think tag stands. */
function withoutAssistant(text: string): string {
  const end = /(?:(?:^|\n)(?:assistant|model)\n|assistant\n\n)\s*(?:<think>\s*)?$/.exec(text.slice(-200));
  return end === null ? text : text.slice(0, text.length - (Math.min(200, text.length) - end.index));
}
