import type { SideDraft } from './format';
import { turnsOf } from './messages/callTurns';
import type { Said } from './messages/said';
import { isRow, isText } from './row';
import type { Row } from './row';

/** The states of a thread: its newest, and what was said in those that none followed. */
export interface History {
  readonly main: Row;
  readonly said: readonly Said[];
  readonly sides: readonly (Omit<SideDraft, 'draft'> & { readonly said: readonly Said[] })[];
}

interface State {
  readonly row: Row;
  readonly said: readonly Said[];
  readonly id: string | undefined;
  readonly parent: string | undefined;
  /** Of a subgraph; empty: the thread's own. */
  readonly space: string;
  readonly at: string;
}

/** Branches that are told apart; a thread has a handful. */
const most = 200;

/**
 * A thread's states as one trajectory: the newest state is the main line; every other state that no state came after is a branch, from the turn where its
 * words differ; the last state of each subgraph is a sub-agent. @param states newest first
 */
export function historyOf(states: readonly Row[], messagesOf: (state: Row) => readonly Said[] | undefined): History | undefined {
  const spoken = states.flatMap((row): State[] => {
    const said = messagesOf(row);
    return said === undefined || !said.some(({ role }) => role === 'assistant') ? [] : [{ row, said, ...placeOf(row) }];
  });
  const own = spoken.filter(({ space }) => space === '');
  const main = newest(own.length > 0 ? own : spoken);
  if (main === undefined) return undefined;
  const words = main.said.map(wordsOf);
  const branches = leaves(own, states).flatMap((state) => {
    const at = firstDifference(words, state.said);
    return state === main || at === undefined ? [] : [{ kind: 'branch' as const, name: nameOf(state), turn: turnAt(main.said, at), said: state.said }];
  });
  const spaces = new Map([...spoken].reverse().filter(({ space }) => space !== '' && space !== main.space).map((state) => [state.space, state]));
  const agents = [...spaces.values()].map(({ space, said }) => ({ kind: 'sub-agent' as const, name: space.split('|').at(-1)?.split(':')[0] ?? space, said }));
  return { main: main.row, said: main.said, sides: [...branches.slice(0, most), ...agents.slice(0, most)] };
}

const newest = (states: readonly State[]): State | undefined => states.reduce<State | undefined>((best, state) => (best === undefined || state.at > best.at ? state : best), undefined);

/** States that are the parent of none; where they have no names, all. */
function leaves(own: readonly State[], all: readonly Row[]): readonly State[] {
  const parents = new Set(all.map((row) => placeOf(row).parent));
  return own.filter(({ id }) => id === undefined || !parents.has(id));
}

function placeOf(row: Row): Omit<State, 'row' | 'said'> {
  const own = checkpoint(row, 'checkpoint', 'config');
  const parent = checkpoint(row, 'parent_checkpoint', 'parent_config');
  return {
    id: text(own['checkpoint_id'] ?? row['checkpoint_id']),
    parent: text(parent['checkpoint_id'] ?? row['parent_checkpoint_id']),
    space: text(own['checkpoint_ns']) ?? '',
    at: text(row['created_at']) ?? '',
  };
}

/** The interface has `checkpoint`, the library `config` with the same inside. */
function checkpoint(row: Row, key: string, config: string): Row {
  const direct = row[key];
  if (isRow(direct)) return direct;
  const nested = row[config];
  const configurable = isRow(nested) ? nested['configurable'] : undefined;
  return isRow(configurable) ? configurable : {};
}

const text = (value: unknown): string | undefined => (isText(value) && value !== '' ? value : undefined);

const nameOf = ({ id, at }: State): string => `checkpoint ${id ?? at}`.trim();

const wordsOf = ({ role, content, calls }: Said): string => JSON.stringify([role, content, calls.map((call) => call.text)]);

/** `undefined`: the state says nothing that the main line does not. */
function firstDifference(main: readonly string[], said: readonly Said[]): number | undefined {
  const at = said.findIndex((message, i) => wordsOf(message) !== main[i]);
  return at < 0 ? undefined : at;
}

/** The turn that this message is in, counted from 1. */
function turnAt(said: readonly Said[], at: number): number {
  return Math.max(1, turnsOf(said)[Math.min(at, said.length - 1)] ?? 1);
}
