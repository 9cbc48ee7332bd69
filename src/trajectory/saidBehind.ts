import { chatTemplates } from './chatTemplates';
import type { Span } from './model';
import { trimmed } from './textSearch';

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const either = (patterns: readonly string[]): string => patterns.filter((pattern) => pattern !== '').join('|');
const ends = either(chatTemplates.flatMap(({ end, stop }) => [literal(end), literal(stop)]));
const begins = either(chatTemplates.map(({ opens, afterRole }) => `(?:${opens.source})(?:(?:user|system|tool)\\b)?${literal(afterRole.trimEnd())}`));
const resumes = either(chatTemplates.map(({ resumes }) => resumes.source.replace(/(?:(?:\\n| )\??)+$/, '')));
/** The end of a message, or where the policy begins to speak. */
const last = new RegExp(`(?:${ends}|${resumes})$`);
const first = new RegExp(`^(?:${ends}|(${begins}))`);
/** Longer than any marker. */
const longestMarker = 160;

/** What is said in messages of their own in a stretch that begins behind what a tool gave back, without the chat's markers and blank space around it. `undefined`: none begins there. */
export function saidBehind(text: string, stretch: Span): Span | undefined {
  let { start, end } = trimmed(text, stretch);
  for (;;) {
    const closing = last.exec(text.slice(Math.max(start, end - longestMarker), end))?.[0].length;
    if (closing === undefined) break;
    ({ start, end } = trimmed(text, { start, end: end - closing }));
  }
  let opened = false;
  for (;;) {
    const opening = first.exec(text.slice(start, Math.min(end, start + longestMarker)));
    if (opening === null) break;
    opened ||= opening[1] !== undefined;
    ({ start, end } = trimmed(text, { start: start + opening[0].length, end }));
  }
  return opened && start < end ? { start, end } : undefined;
}
