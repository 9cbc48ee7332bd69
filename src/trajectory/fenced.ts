import type { Action } from './action';
import type { Dialect } from './dialect';
import type { Span } from './model';
import { isBlank } from './tags';

/** A block of code between two lines of backticks, or of the tags that stand for them. */
interface Fence {
  /** `bash`; empty where it names no language. */
  readonly label: string;
  /** The opening line, and the line feed before it. */
  readonly start: number;
  readonly inside: Span;
  readonly end: number;
}

/** What shells call themselves after the opening backticks. */
const shells: readonly string[] = ['', 'bash', 'sh', 'shell', 'mswea_bash_command'];

/**
 * The text as one action: its command is the last fenced block for a shell (the last of any kind where there is none), with those that stand right before it;
 * what stands before them is the reasoning. Without a block, what stands in `<command>`; without that, an answer in the dialect's tags.
 */
export function fencedAction(text: string, dialect: Dialect): Action {
  const fences = commandsIn(text);
  const answer = fences.length === 0 ? answerIn(text, dialect) : undefined;
  const end = fences[0]?.start ?? (answer === undefined ? text.length : answer.start - dialect.tags.answer.open.length);
  return {
    policy: { start: 0, end: text.length },
    queries: fences.map(({ inside }) => inside),
    ...(answer === undefined ? {} : { answer }),
    ...((fences.length === 0 && answer === undefined) || isBlank(text, 0, end) ? {} : { think: { start: 0, end } }),
  };
}

/** The command of a message, without its fence; `undefined`: it has none. */
export function fencedCommand(text: string): string | undefined {
  const inside = commandsIn(text).at(-1)?.inside;
  return inside === undefined ? undefined : text.slice(inside.start, inside.end);
}

/** A command in a fence, without the line feeds at its end; an empty one has none. */
export function inFence(command: string): string {
  let end = command.length;
  while (command[end - 1] === '\n') end--;
  return command.trim() === '' ? '' : `\`\`\`\n${command.slice(0, end)}\n\`\`\``;
}

function commandsIn(text: string): readonly Fence[] {
  const fences = fencesOf(text);
  if (fences.length === 0) return taggedIn(text);
  const isShell = ({ label }: Fence): boolean => shells.includes(label);
  const some = fences.some(isShell);
  const last = some ? fences.findLastIndex(isShell) : fences.length - 1;
  let first = last;
  for (; first > 0; first--) {
    const [before, after] = [fences[first - 1], fences[first]];
    if (before === undefined || after === undefined || (some && !isShell(before)) || !isBlank(text, before.end, after.start)) break;
  }
  return fences.slice(Math.max(0, first), last + 1);
}

/** SWE-agent's agents that were told to write XML. */
const tag = { open: '<command>', close: '</command>' };

function taggedIn(text: string): readonly Fence[] {
  const at = text.lastIndexOf(tag.open);
  const end = at < 0 ? -1 : text.indexOf(tag.close, at);
  if (end < 0) return [];
  const start = at > 0 && text[at - 1] === '\n' ? at - 1 : at;
  const from = at + tag.open.length;
  const inside = { start: text[from] === '\n' && from < end ? from + 1 : from, end: end - 1 > from && text[end - 1] === '\n' ? end - 1 : end };
  return [{ label: '', start, inside, end: end + tag.close.length }];
}

/** A fence that no line closes is none. */
function fencesOf(text: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { readonly label: string; readonly start: number; readonly from: number } | undefined;
  for (let at = 0; at <= text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    if (text.startsWith('```', at)) {
      const label = text.slice(at + 3, end).trim();
      if (open === undefined) open = { label: label.toLowerCase(), start: Math.max(0, at - 1), from: end + 1 };
      else if (label === '') {
        fences.push({ label: open.label, start: open.start, inside: { start: open.from, end: Math.max(open.from, at - 1) }, end: at + 3 });
        open = undefined;
      }
    }
    if (feed < 0) break;
    at = feed + 1;
  }
  return fences;
}

function answerIn(text: string, { tags }: Dialect): Span | undefined {
  const { open, close } = tags.answer;
  const at = text.lastIndexOf(open);
  const end = at < 0 ? -1 : text.indexOf(close, at + open.length);
  return end < 0 ? undefined : { start: at + open.length, end };
}
