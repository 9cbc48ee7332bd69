import { chatTemplates } from './chatTemplates';
import type { Span } from './model';
import { trimmed } from './tags';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const either = (patterns: readonly string[]): string => patterns.filter((pattern) => pattern !== '').join('|');
const ends = chatTemplates.flatMap(({ end, stop }) => [literal(end), literal(stop)]);
/** The end of a message, or the beginning of another's. */
const leading = new RegExp(`^(?:${either([...ends, ...chatTemplates.map(({ opens, afterRole }) => `(?:${opens.source})(?:(?:user|system|tool)\\b)?${literal(afterRole.trimEnd())}`)])})`);
/** The end of a message, or the beginning of the policy's. */
const trailing = new RegExp(`(?:${either([...ends, ...chatTemplates.map(({ resumes }) => resumes.source.replace(/(?:(?:\\n| )\??)+$/, ''))])})$`);
/** What is left of the latter where a dump has dropped its markers. */
const strippedAssistant = 'assistant';
/** Longer than any marker. */
const longestMarker = 160;

/** The stretch without the chat markers and blank space at its start and end. */
export function withoutMarkers(text: string, span: Span): Span {
  let { start, end } = trimmed(text, span);
  for (;;) {
    const opening = leading.exec(text.slice(start, Math.min(end, start + longestMarker)))?.[0].length ?? 0;
    const closing = opening > 0 ? 0 : (trailing.exec(text.slice(Math.max(start, end - longestMarker), end))?.[0].length ?? 0);
    if (opening + closing === 0) return text.slice(start, end) === strippedAssistant ? { start, end: start } : { start, end };
    ({ start, end } = trimmed(text, { start: start + opening, end: end - closing }));
  }
}
