import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Span } from './model';
import { readCall } from './toolCall';

/** Tools that are called to give the answer and end the run. */
const names = new Set(['submit', 'submit_answer', 'submit_final_answer', 'final_answer', 'finish', 'answer', 'give_answer', 'provide_answer', 'return_answer', 'complete_task']);
/** Arguments in which they take it, the likeliest first. */
const keys = ['answer', 'final_answer', 'result', 'response', 'output', 'submission', 'message', 'text'];
const longest = 1_000_000;

/** Where the answer stands inside a call that gives it, quotes not included, escapes and all; `undefined`: the call gives none. */
export function calledAnswer(text: string, { start, end }: Span): Span | undefined {
  if (end - start > longest) return undefined;
  const inside = text.slice(start, end);
  const call = readCall(inside);
  if (call === undefined || !names.has(call.name)) return undefined;
  const root = parseTree(inside);
  const given = root && ['arguments', 'parameters', 'args'].map((name) => findNodeAtLocation(root, [name])).find((node) => node !== undefined);
  if (given?.type !== 'object') return undefined;
  const answer = keys.map((key) => findNodeAtLocation(given, [key])).find((node) => node?.type === 'string' && String(node.value).trim() !== '');
  return answer && { start: start + answer.offset + 1, end: start + answer.offset + answer.length - 1 };
}

/** What was meant by a string of JSON, without its quotes. */
export function unescaped(inside: string): string {
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return inside;
  }
}
