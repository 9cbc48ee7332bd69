import type { Said } from './said';

/** Which turn made each call, by the call's id: turns are the policy's messages in a row, counted from 1. */
export function turnsOfCalls(said: readonly Said[]): ReadonlyMap<string, number> {
  const turns = new Map<string, number>();
  let turn = 0;
  let before: string | undefined;
  for (const { role, calls } of said) {
    if (role === 'assistant' && before !== 'assistant') turn++;
    before = role;
    if (role !== 'assistant') continue;
    for (const { id } of calls) if (id !== undefined && !turns.has(id)) turns.set(id, turn);
  }
  return turns;
}
