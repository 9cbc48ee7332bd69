import type { Action } from './action';
import type { Dialect } from './dialect';
import type { Span } from './model';
import { isBlank } from './textSearch';

/** A block of code between two lines of backticks, or of the tags that stand for them. */
interface Fence {
  /** `bash`; empty where it names no language. */
  readonly label: string;
  /** The opening line, and the line feed before it. */
  readonly start: number;
  readonly inside: Span;
  readonly end: number;
}

/** Backticks of a fence. */
const shortest = 3;
/** mini-swe-agent's own label; beside it no other is a command. */
const mini = 'mswea_bash_command';
/** What shells call themselves after the opening backticks. */
const shells: readonly string[] = ['', 'bash', 'sh', 'shell'];

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
  const ticks = ticksAround(command);
  return command.trim() === '' ? '' : `${ticks}\n${command.slice(0, end)}\n${ticks}`;
}

/** Backticks for a fence that nothing in the command closes: more than any line of it begins with. */
export function ticksAround(command: string): string {
  const most = [...command.matchAll(/^`{3,}/gm)].reduce((longest, [ticks]) => Math.max(longest, ticks.length), shortest - 1);
  return '`'.repeat(most + 1);
}

function commandsIn(text: string): readonly Fence[] {
  const fences = fencesOf(text);
  if (fences.length === 0) return taggedIn(text);
  const labels = fences.some(({ label }) => label === mini) ? [mini] : shells;
  const isShell = ({ label }: Fence): boolean => labels.includes(label);
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
  const end = text.lastIndexOf(tag.close);
  const from = at + tag.open.length;
  if (at < 0 || end < from) return [];
  const start = at > 0 && text[at - 1] === '\n' ? at - 1 : at;
  const inside = { start: text[from] === '\n' && from < end ? from + 1 : from, end: end - 1 > from && text[end - 1] === '\n' ? end - 1 : end };
  return [{ label: '', start, inside, end: end + tag.close.length }];
}

/**
 * As CommonMark has it, a line of at least as many backticks and nothing behind them closes a fence, and one that no line closes is none. A block with a
 * label that begins inside of another is part of it, as SWE-agent reads it, unless that leaves a fence open. A fence of mini-swe-agent's own label ends
 * with the next line that begins with backticks, for so it reads that.
 */
function fencesOf(text: string): readonly Fence[] {
  const { fences, left } = fencesFrom(text, 0, true);
  return left === undefined ? fences : [...fences, ...fencesFrom(text, left, false).fences];
}

/** `left`: where a fence begins that nothing closes. */
function fencesFrom(text: string, from: number, nests: boolean): { readonly fences: readonly Fence[]; readonly left?: number } {
  const fences: Fence[] = [];
  let open: { readonly label: string; readonly at: number; readonly inside: number } | undefined;
  /** Backticks of the open fence, and of those inside of it. */
  const depth: number[] = [];
  for (let at = from; at <= text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed < 0 ? text.length : feed;
    const behind = ticksEnd(text, at);
    const ticks = behind - at;
    if (ticks >= Math.max(shortest, depth.at(-1) ?? 0)) {
      const label = text.slice(behind, end).trim();
      if (open !== undefined && (label === '' || open.label === mini)) {
        depth.pop();
        if (depth.length === 0) {
          fences.push({ label: open.label, start: Math.max(0, open.at - 1), inside: { start: open.inside, end: Math.max(open.inside, at - 1) }, end: behind });
          open = undefined;
        }
      } else if (!label.includes('`') && (open === undefined || (nests && text.charAt(behind).trim() !== ''))) {
        open ??= { label: label.toLowerCase(), at, inside: end + 1 };
        depth.push(ticks);
      }
    }
    if (feed < 0) break;
    at = feed + 1;
  }
  return open === undefined ? { fences } : { fences, left: open.at };
}

function ticksEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === '`') at++;
  return at;
}

function answerIn(text: string, { tags }: Dialect): Span | undefined {
  const { open, close } = tags.answer;
  const at = text.lastIndexOf(open);
  const end = at < 0 ? -1 : text.indexOf(close, at + open.length);
  return end < 0 ? undefined : { start: at + open.length, end };
}
