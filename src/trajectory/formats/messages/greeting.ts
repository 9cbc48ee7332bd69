import type { ReadOptions } from '../../options';
import { sniff } from '../../sniff';
import type { Said } from './said';

/**
 * Where the policy's own first message stands in a chat that was opened in its name, before anybody had asked (as the harness of τ²-bench does).
 * `undefined`: the first of the assistant is its own, as one that acts is.
 */
export function afterGreeting(said: readonly Said[], options: ReadOptions): number | undefined {
  const first = said.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const [greeting, reply] = [said[first], said[first + 1]];
  if (greeting?.role !== 'assistant' || reply?.role !== 'user' || greeting.calls.length > 0 || greeting.reasoning !== undefined) return undefined;
  if (/<[a-z|/]/.test(greeting.content) || sniff(`${greeting.content}\n${reply.content}`, options) !== undefined) return undefined;
  const own = said.findIndex(({ role }, i) => i > first + 1 && role === 'assistant');
  return own < 0 ? undefined : own;
}
