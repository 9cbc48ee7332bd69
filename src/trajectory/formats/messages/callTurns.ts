import type { Said } from './said';

/** The turn that each message is in: turns begin with the policy's messages in a row, and are counted from 1; 0: before the first. */
export function turnsOf(said: readonly Said[]): readonly number[] {
  let turn = 0;
  return said.map(({ role }, i) => (role === 'assistant' && said[i - 1]?.role !== 'assistant' ? ++turn : turn));
}

/** Which turn made each call, by the call's id. */
export function turnsOfCalls(said: readonly Said[]): ReadonlyMap<string, number> {
  const turns = turnsOf(said);
  const byId = new Map<string, number>();
  for (const [i, { role, calls }] of said.entries()) {
    if (role !== 'assistant') continue;
    for (const { id } of calls) if (id !== undefined && !byId.has(id)) byId.set(id, turns[i] ?? 0);
  }
  return byId;
}
