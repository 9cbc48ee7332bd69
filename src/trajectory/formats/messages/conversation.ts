import { commands } from '../../dialects/commands';
import { chatTools, qwenTools } from '../../dialects/qwenTools';
import type { Dialect } from '../../dialect';
import { fencedCommand } from '../../fenced';
import type { ChatMessage, Finding, Prompt } from '../../model';
import type { ReadOptions } from '../../options';
import { sniff } from '../../sniff';
import type { Draft } from '../format';
import { pairing } from './pairing';
import { ChatPage } from './chatPage';
import type { Said } from './said';

/**
 * A rollout that a file keeps as messages. What stands before the first message of the assistant is the prompt; from there on roles say who wrote what.
 * The text is the messages as Qwen's chat template writes them (with a finding, for another template writes other text). A text: why there is none.
 * @param own the dialect, where the format knows it
 * @param first the assistant's first message that is the rollout's own; those before it are of its prompt
 */
export function conversation(
  messages: readonly Said[],
  options: ReadOptions,
  own?: Dialect,
  first = messages.findIndex(({ role }) => role === 'assistant'),
): Pick<Draft, 'prompt' | 'rollout' | 'notes'> | string {
  if (first < 0) return 'holds no message of an assistant';
  const before = messages.slice(0, first);
  const said = messages.slice(first);
  const dialect = own ?? dialectOf(said, options);
  const prompt: Prompt = before.length === 0 ? { kind: 'contract' } : { kind: 'messages', messages: before.map(asRead) };
  const { text, parts } = written(said, dialect);
  return { prompt, rollout: { text, parts, dialect }, notes: [rendered, ...tokensInText(said), ...pairing(said, dialect)] };
}

/** A message of the prompt: what the policy read of it. */
const asRead = ({ role, content, calls }: Said): ChatMessage => ({ role, content: [content, ...calls.map(({ text }) => text)].filter((text) => text !== '').join('\n') });

const rendered: Finding = {
  code: 'text-rendered',
  severity: 'information',
  message: 'The file holds messages and not the text the policy read; they are written here as the chat template of Qwen writes them.',
};

function dialectOf(said: readonly Said[], options: ReadOptions): Dialect {
  const spoken = said.map(({ content }) => content).join('\n');
  if (said.some(({ calls }) => calls.length > 0)) return said.some(({ role, content }) => role === 'assistant' && content.includes('<answer>')) ? qwenTools : chatTools;
  const own = said.flatMap(({ role, content }, i) => (role === 'assistant' ? [{ text: content, toTool: said[i + 1]?.role === 'tool' }] : []));
  return sniff(spoken, options, own) ?? (said.some(isRun) ? commands : chatTools);
}

/** A command in a fence that SWE-agent has run: what came back is headed by its own word. */
const isRun = ({ role, content }: Said, i: number, said: readonly Said[]): boolean =>
  role === 'assistant' && said[i + 1]?.role !== 'assistant' && /^\s{0,10}OBSERVATION:/.test(said[i + 1]?.content ?? '') && fencedCommand(content) !== undefined;

function written(said: readonly Said[], dialect: Dialect): ChatPage {
  const page = new ChatPage(dialect);
  for (let i = 0; i < said.length; ) {
    const policy = said[i]?.role === 'assistant';
    let end = i + 1;
    while (end < said.length && (said[end]?.role === 'assistant') === policy) end++;
    const group = said.slice(i, end);
    if (policy) page.policy(group);
    else page.environment(group, end < said.length);
    i = end;
  }
  return page;
}

/** A document that quotes a chat's markers reads like one to whoever encodes it. */
function tokensInText(said: readonly Said[]): readonly Finding[] {
  if (!said.some(({ content }) => /<\|im_(?:start|end)\|>/.test(content))) return [];
  const message = 'A message holds what looks like a special token (<|im_start|> or <|im_end|>); a tokenizer reads it as one.';
  return [{ code: 'special-token-in-text', severity: 'warning', message }];
}
