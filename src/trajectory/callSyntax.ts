import type { ToolCall } from './toolCall';

/**
 * How a model writes a tool call where it is not one object of JSON between tags:
 * - `function-tags`: `<function=search><parameter=query>…</parameter></function>` (SWE-agent and OpenHands without function calls)
 * - `channels`: `to=functions.search <|constrain|>json<|message|>{…}` (harmony, gpt-oss)
 * - `numbered`: `functions.search:0<|tool_call_argument_begin|>{…}` (Kimi K2)
 * - `separated`: `search<｜tool▁sep｜>{…}`, or `function<｜tool▁sep｜>search` with a fence below (DeepSeek V3.1, and V3 and R1)
 * - `open-ended`: after a token that nothing closes, as JSON, a list of it or `search[ARGS]{…}` (Mistral, Llama 3)
 */
export type CallSyntax = 'function-tags' | 'channels' | 'numbered' | 'separated' | 'open-ended';

/** The call as a policy writes it in this syntax, without the tags around it. */
export function writeCall({ name, arguments: given }: ToolCall, syntax: CallSyntax): string {
  const json = JSON.stringify(given);
  switch (syntax) {
    case 'function-tags':
      return `<function=${name}>\n${parametersOf(given)}</function>`;
    case 'channels':
      return `functions.${name} <|constrain|>json<|message|>${json}`;
    case 'numbered':
      return `functions.${name}:0<|tool_call_argument_begin|>${json}`;
    case 'separated':
      return `${name}<｜tool▁sep｜>${json}`;
    case 'open-ended':
      return JSON.stringify({ name, arguments: given });
  }
}

function parametersOf(given: unknown): string {
  const values = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : { input: given };
  return Object.entries(values)
    .map(([key, value]) => `<parameter=${key}>${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>\n`)
    .join('');
}

/** Arguments of a call that some token parts from its name; `undefined`: the text is no such call. */
export function readParted(text: string): { readonly name: string; readonly given: string } | undefined {
  const trimmed = text.trim();
  return channelCall(trimmed) ?? numberedCall(trimmed) ?? separatedCall(trimmed) ?? argsCall(trimmed) ?? builtInCall(trimmed);
}

const nameOf = (text: string): string | undefined => (/^[\w.:-]{1,200}$/.test(text) ? text : undefined);

/** `functions.search <|constrain|>json<|message|>{…}`, `browser.search code<|message|>{…}`, `functions.search<|channel|>commentary json<|message|>{…}`. */
function channelCall(text: string): { readonly name: string; readonly given: string } | undefined {
  const at = text.indexOf('<|message|>');
  const header = text.slice(0, Math.max(0, at));
  const name = nameOf(/^(?:functions\.)?([^\s<]*)/.exec(header)?.[1] ?? '');
  return name === undefined || header.includes('{') ? undefined : { name, given: text.slice(at + '<|message|>'.length).trim() };
}

function numberedCall(text: string): { readonly name: string; readonly given: string } | undefined {
  const parts = partedBy(text, '<|tool_call_argument_begin|>');
  const name = parts && nameOf(parts.before.replace(/^functions\./, '').replace(/:\d{1,9}$/, ''));
  return parts && name !== undefined ? { name, given: parts.after } : undefined;
}

function separatedCall(text: string): { readonly name: string; readonly given: string } | undefined {
  const parts = partedBy(text, '<｜tool▁sep｜>');
  const name = parts && nameOf(parts.before);
  if (parts === undefined || name === undefined) return undefined;
  const fenced = name === 'function' ? partedBy(parts.after, '```') : undefined;
  const inner = fenced && nameOf(fenced.before);
  if (fenced === undefined || inner === undefined) return { name, given: parts.after };
  const end = fenced.after.lastIndexOf('```');
  return { name: inner, given: (end < 0 ? fenced.after : fenced.after.slice(0, end)).replace(/^jsonc?\b/, '').trim() };
}

/** `search[ARGS]{…}`, `search[CALL_ID]abc[ARGS]{…}`, `search{…}`. */
function argsCall(text: string): { readonly name: string; readonly given: string } | undefined {
  const at = text.indexOf('{');
  const head = /^([\w.:-]{1,200})(?:\[CALL_ID\]\w{1,100})?(?:\[ARGS\])?\s{0,10}$/.exec(text.slice(0, Math.min(400, Math.max(0, at))));
  return head?.[1] === undefined || at > 400 ? undefined : { name: head[1], given: text.slice(at) };
}

/** `brave_search.call(query="…")`, as Llama 3 calls the tools it was trained with. */
function builtInCall(text: string): { readonly name: string; readonly given: string } | undefined {
  const head = /^(\w{1,100})\.call\((\w{1,100})=(?=")/.exec(text);
  if (head?.[1] === undefined || !text.endsWith('")')) return undefined;
  return { name: head[1], given: `{"${head[2] ?? ''}":${text.slice(head[0].length, -1)}}` };
}

function partedBy(text: string, token: string): { readonly before: string; readonly after: string } | undefined {
  const at = text.indexOf(token);
  return at < 0 ? undefined : { before: text.slice(0, at).trim(), after: text.slice(at + token.length).trim() };
}
