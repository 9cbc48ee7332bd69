import type { Span, TurnTokens } from './model';

/** A stretch of a chat's text and who wrote it. Parts cover the text in order and without gaps. */
export interface RolePart {
  readonly by: 'policy' | 'environment';
  readonly span: Span;
  /** Of the environment's: what stands inside the chat markers. */
  readonly content?: Span;
  /** Of the policy's: its tokens, where the file records them. */
  readonly ids?: TurnTokens;
}

/** How a chat template marks who speaks. */
interface Markup {
  /** Before a role's name. */
  readonly open: string;
  /** Between the name and what is said. */
  readonly afterRole: string;
  /** After what is said. */
  readonly end: string;
}

const markups: readonly Markup[] = [
  { open: '<|im_start|>', afterRole: '\n', end: '<|im_end|>' },
  { open: '<|start_header_id|>', afterRole: '<|end_header_id|>\n\n', end: '<|eot_id|>' },
];

/** After a chat's markers were dropped, these lines are what is left of a tool's answer. */
const stripped = { open: '\nuser\n<tool_response>', close: '</tool_response>\nassistant\n', role: '\nuser\n', assistant: '\nassistant\n' };

/** Who wrote what in a chat's text that begins inside the policy's first message; `undefined`: the text has no chat markers. */
export function rolesOf(text: string): readonly RolePart[] | undefined {
  const markup = markups.find(({ open }) => text.includes(open));
  if (markup !== undefined) return markedRoles(text, markup);
  return text.includes(stripped.open) ? strippedRoles(text) : undefined;
}

/** Whether a text carries role lines whose markers a dump has dropped. */
export const hasStrippedRoles = (text: string): boolean => text.includes(stripped.open) && !markups.some(({ open }) => text.includes(open));

function markedRoles(text: string, markup: Markup): readonly RolePart[] {
  const assistant = `${markup.open}assistant${markup.afterRole}`;
  const parts: RolePart[] = [];
  let from = 0;
  for (let at = text.indexOf(markup.open); at >= 0; at = text.indexOf(markup.open, from)) {
    const start = afterMessage(text, from, at);
    const next = nextAssistant(text, at, assistant, markup.end);
    const end = next === undefined ? text.length : next + assistant.length;
    if (start > from) parts.push({ by: 'policy', span: { start: from, end: start } });
    const content = contentOf(text, at, next ?? text.length, markup);
    parts.push({ by: 'environment', span: { start, end }, content });
    from = end;
  }
  if (from < text.length) parts.push({ by: 'policy', span: { start: from, end: text.length } });
  return parts;
}

/** Blank space between the end marker of what was said and the next marker is the template's. */
function afterMessage(text: string, from: number, marker: number): number {
  let at = marker;
  while (at > from && text.charAt(at - 1).trim() === '') at--;
  return at;
}

/** The policy's next message begins after an end marker; documents may quote its beginning. */
function nextAssistant(text: string, from: number, assistant: string, end: string): number | undefined {
  const first = text.indexOf(assistant, from);
  let tries = 0;
  for (let at = first; at >= 0 && tries < 100; at = text.indexOf(assistant, at + 1), tries++) {
    if (at === from || text.slice(Math.max(0, at - 64), at).trimEnd().endsWith(end)) return at;
  }
  return first < 0 ? undefined : first;
}

function contentOf(text: string, marker: number, limit: number, { open, afterRole, end }: Markup): Span {
  const header = text.indexOf(afterRole, marker + open.length);
  const start = header < 0 || header > limit ? marker + open.length : header + afterRole.length;
  const close = text.slice(start, limit).lastIndexOf(end);
  return { start, end: close >= 0 ? start + close : Math.max(start, limit) };
}

function strippedRoles(text: string): readonly RolePart[] {
  const parts: RolePart[] = [];
  let from = 0;
  for (let at = text.indexOf(stripped.open); at >= 0; at = text.indexOf(stripped.open, from)) {
    const close = text.indexOf(stripped.close, at);
    const end = close < 0 ? text.length : close + stripped.close.length;
    if (at > from) parts.push({ by: 'policy', span: { start: from, end: at } });
    const content = { start: at + stripped.role.length, end: close < 0 ? text.length : end - stripped.assistant.length };
    parts.push({ by: 'environment', span: { start: at, end }, content });
    from = end;
  }
  if (from < text.length) parts.push({ by: 'policy', span: { start: from, end: text.length } });
  return parts;
}

/** What the policy said, without the token that ends it and the blank space after that. */
export function withoutEndToken(said: string): string {
  const trimmed = said.trimEnd();
  const end = markups.map((markup) => markup.end).find((token) => trimmed.endsWith(token));
  return end === undefined ? said : trimmed.slice(0, trimmed.length - end.length);
}
