import { chatTemplates, findMark, templateWithin } from './chatTemplates';
import type { ChatTemplate } from './chatTemplates';
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

/** After a chat's markers were dropped, these lines are what is left of a tool's answer. */
const stripped = { open: '\nuser\n<tool_response>', close: '</tool_response>\nassistant\n', role: '\nuser\n', assistant: '\nassistant\n' };

/** Who wrote what in a chat's text that begins inside the policy's first message; `undefined`: the text has no chat markers. */
export function rolesOf(text: string): readonly RolePart[] | undefined {
  const template = templateWithin(text);
  if (template !== undefined) return markedRoles(text, template);
  return text.includes(stripped.open) ? strippedRoles(text) : undefined;
}

/** Whether a text carries role lines whose markers a dump has dropped. */
export const hasStrippedRoles = (text: string): boolean => text.includes(stripped.open) && templateWithin(text) === undefined;

function markedRoles(text: string, template: ChatTemplate): readonly RolePart[] {
  const parts: RolePart[] = [];
  let from = 0;
  for (let mark = findMark(text, template.opens, 0); mark !== undefined; mark = findMark(text, template.opens, from)) {
    const start = afterMessage(text, from, mark.start);
    const next = resumption(text, mark.start, template);
    const end = next?.end ?? text.length;
    if (start > from) parts.push({ by: 'policy', span: { start: from, end: start } });
    const content = contentOf(text, mark, next?.start ?? text.length, template);
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
function resumption(text: string, from: number, { resumes, end }: ChatTemplate): Span | undefined {
  const first = findMark(text, resumes, from);
  let tries = 0;
  for (let mark = first; mark !== undefined && tries < 100; mark = findMark(text, resumes, mark.start + 1), tries++) {
    if (mark.start === from || text.slice(Math.max(0, mark.start - 64), mark.start).trimEnd().endsWith(end)) return mark;
  }
  return first;
}

function contentOf(text: string, mark: Span, limit: number, { afterRole, end }: ChatTemplate): Span {
  const header = text.indexOf(afterRole, mark.end);
  const start = header < 0 || header > limit ? mark.end : header + afterRole.length;
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
  const end = chatTemplates.map(({ stop }) => stop).find((token) => token !== '' && trimmed.endsWith(token));
  return end === undefined ? said : trimmed.slice(0, trimmed.length - end.length);
}
