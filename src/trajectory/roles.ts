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

/** After a chat's markers were dropped, these are what is left around what came back: lines of their own, or (Llama) a name right after what was said. */
const stripped = {
  opens: /(?:\n(?:user|tool)\n|(?:user|tool|ipython)\n\n)(?=<(?:tool_response|information|result)>)/g,
  resumes: /(?<=<\/(?:tool_response|information|result)>)(?:\n{1,3}(?:assistant|model)\n|assistant\n\n)/g,
};

/** Who wrote what in a chat's text that begins inside the policy's first message; `undefined`: the text has no chat markers. */
export function rolesOf(text: string): readonly RolePart[] | undefined {
  const template = templateWithin(text);
  if (template !== undefined) return markedRoles(text, template);
  return findMark(text, stripped.opens, 0) === undefined ? undefined : strippedRoles(text);
}

/** Whether a text carries role lines whose markers a dump has dropped. */
export const hasStrippedRoles = (text: string): boolean => templateWithin(text) === undefined && findMark(text, stripped.opens, 0) !== undefined;

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
  for (let mark = findMark(text, stripped.opens, 0); mark !== undefined; mark = findMark(text, stripped.opens, from)) {
    const next = findMark(text, stripped.resumes, mark.end);
    if (mark.start > from) parts.push({ by: 'policy', span: { start: from, end: mark.start } });
    const end = next?.end ?? text.length;
    parts.push({ by: 'environment', span: { start: mark.start, end }, content: { start: mark.end, end: next?.start ?? text.length } });
    from = end;
  }
  if (from < text.length) parts.push({ by: 'policy', span: { start: from, end: text.length } });
  return parts;
}

/** What ends a message of the policy; Llama has a token more for one that calls. */
const stops = [...chatTemplates.map(({ stop }) => stop).filter((stop) => stop !== ''), '<|eom_id|>'];

/** What the policy said, without the token that ends it and the blank space after that. */
export function withoutEndToken(said: string): string {
  const trimmed = said.trimEnd();
  const end = stops.find((token) => trimmed.endsWith(token));
  return end === undefined ? said : trimmed.slice(0, trimmed.length - end.length);
}
