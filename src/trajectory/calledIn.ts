import type { Dialect } from './dialect';
import { deepseekTools, functionTools, harmony, kimiTools, llamaTools, mistralTools } from './dialects/modelTools';
import { rolesOf, withoutEndToken } from './roles';
import type { RolePart } from './roles';
import { findTags } from './tags';
import { isBareCall } from './toolCall';

/** What the policy said in one message. */
export interface Message {
  readonly text: string;
  /** A tool's message follows. */
  readonly toTool: boolean;
}

/** What one of these dialects holds, so that other texts are not looked at twice. */
const anyMark = /<function=|<\|message\|>|<\|tool_call_begin\|>|<｜tool▁call▁begin｜>|\[TOOL_CALLS\]|<\|python_tag\|>/;
/** Llama 3 and Llama 3.2 answer a call in a role of its own. */
const toolsHeader = /^\s{0,10}<\|start_header_id\|>(?:ipython|tool)<\|end_header_id\|>/;

const callsBy = (dialect: Dialect) => ({ text }: Message): boolean => findTags(text, dialect).some(({ kind, closes }) => kind === 'search' && closes);

/** How a message of each dialect is told, the surest first. What is only spoken of is none: calls end a message, or begin as calls do. */
const tests: readonly { readonly dialect: Dialect; readonly holds: (message: Message) => boolean }[] = [
  { dialect: harmony, holds: ({ text }) => /<\|channel\|>\s{0,10}(?:analysis|commentary|final)\b(?:[^<]|<\|constrain\|>){0,200}<\|message\|>/.test(text) },
  { dialect: kimiTools, holds: callsBy(kimiTools) },
  { dialect: deepseekTools, holds: callsBy(deepseekTools) },
  { dialect: mistralTools, holds: ({ text }) => /\[TOOL_CALLS\]\s{0,10}(?:\[\s{0,10})?(?:[\w.:-]{1,200}(?:\[CALL_ID\]\w{1,100})?(?:\[ARGS\])?\s{0,10})?\{/.test(text) },
  { dialect: llamaTools, holds: ({ text, toTool }) => /<\|python_tag\|>\s{0,10}\S/.test(text) || (toTool && isBareCall(withoutEndToken(text))) },
  { dialect: functionTools, holds: (message) => withoutEndToken(message.text).trimEnd().endsWith('</function>') && callsBy(functionTools)(message) },
];

/**
 * The dialect of a model's own syntax in which the policy calls its tools: more of its messages hold such calls than hold the tags of another dialect.
 * What others said, and quoted, does not count.
 * @param isOther whether a message holds the tags of another dialect
 */
export function calledIn(messages: readonly Message[], isOther: (text: string) => boolean): Dialect | undefined {
  for (const { dialect, holds } of tests) {
    const calling = messages.filter(holds);
    if (calling.length > 0 && calling.length > messages.filter(({ text }) => isOther(text)).length) return dialect;
  }
  return undefined;
}

/** What the policy said in a chat's text that has markers; without them, all of it is one message. */
export function messagesIn(text: string): readonly Message[] {
  if (!anyMark.test(text) && !/<\|start_header_id\|>(?:ipython|tool)<\|/.test(text)) return [];
  const parts = rolesOf(text);
  if (parts === undefined) return [{ text, toTool: false }];
  return parts.flatMap((part, i) => (part.by === 'policy' ? [messageOf(text, part, parts[i + 1])] : []));
}

function messageOf(text: string, { span }: RolePart, next: RolePart | undefined): Message {
  return { text: text.slice(span.start, span.end), toTool: next !== undefined && toolsHeader.test(text.slice(next.span.start, next.span.start + 80)) };
}
