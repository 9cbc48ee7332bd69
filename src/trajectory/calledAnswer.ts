import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { tooDeep } from './json';
import type { Span } from './model';
import { trimmed } from './textSearch';
import { readCall } from './toolCall';

/** Tools that are called to give the answer and end the run. */
const names = new Set(['submit', 'submit_answer', 'submit_final_answer', 'final_answer', 'finish', 'answer', 'give_answer', 'provide_answer', 'return_answer', 'complete_task']);
/** Arguments in which they take it, the likeliest first. */
const keys = ['answer', 'final_answer', 'result', 'response', 'output', 'submission', 'message', 'text'];
const longest = 1_000_000;

/** Where the answer stands inside a call that gives it: a string of JSON without its quotes, escapes and all, or the value in a tag; `undefined`: the call gives none. */
export function calledAnswer(text: string, { start, end }: Span): Span | undefined {
  if (end - start > longest) return undefined;
  const inside = text.slice(start, end);
  const call = readCall(inside);
  if (call === undefined || !names.has(call.name) || tooDeep(inside) !== undefined) return undefined;
  const tagged = valueInTags(inside);
  if (tagged !== undefined) return { start: start + tagged.start, end: start + tagged.end };
  // Arguments may stand behind the name.
  const at = inside.indexOf('{');
  const root = at < 0 ? undefined : parseTree(inside.slice(at));
  const given = root && (at > 0 ? root : ['arguments', 'parameters', 'args'].map((name) => findNodeAtLocation(root, [name])).find((node) => node !== undefined));
  if (given?.type !== 'object') return undefined;
  const answer = keys.map((key) => findNodeAtLocation(given, [key])).find((node) => node?.type === 'string' && String(node.value).trim() !== '');
  return answer && { start: start + at + answer.offset + 1, end: start + at + answer.offset + answer.length - 1 };
}

/** `<function=finish><parameter=message>…</parameter></function>` */
function valueInTags(call: string): Span | undefined {
  if (!call.startsWith('<function=')) return undefined;
  for (const key of keys) {
    const open = `<parameter=${key}>`;
    const from = call.indexOf(open) + open.length;
    const end = from < open.length ? -1 : call.indexOf('</parameter>', from);
    const value = end < 0 ? undefined : trimmed(call, { start: from, end });
    if (value !== undefined && value.end > value.start) return value;
  }
  return undefined;
}

/** What was meant by a string of JSON, without its quotes. */
export function unescaped(inside: string): string {
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return inside;
  }
}
