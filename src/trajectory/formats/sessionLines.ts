import { isList, isRow, isText } from './row';
import type { Row } from './row';

/** The lines of a log by what they belong to, each part in the file's order. */
export interface SessionLines {
  readonly main: readonly Row[];
  readonly others: readonly { readonly kind: 'branch' | 'sub-agent'; readonly name: string; readonly agent?: string; readonly lines: readonly Row[] }[];
}

/**
 * A log only grows: where a person goes back and asks again, two prompts follow the same line (`parentUuid`), and what followed the earlier one was taken
 * back. Results of parallel calls share a parent too and are no branches. Blocks of one message stand in lines of their own and are brought together.
 */
export function sessionLines(all: readonly Row[]): SessionLines {
  const lines = once(all);
  const taken = takenBack(lines);
  const branchOf = new Map<string, string>();
  const agentOf = subAgents();
  const parts = new Map<string, { kind: 'branch' | 'sub-agent'; name: string; agent?: string; lines: Row[] }>();
  const main: Row[] = [];
  let branches = 0;
  for (const line of lines) {
    const uuid = textOf(line['uuid']);
    const parent = textOf(line['parentUuid']);
    const from = uuid !== undefined && taken.has(uuid) ? uuid : parent === undefined ? undefined : branchOf.get(parent);
    if (uuid !== undefined && from !== undefined) branchOf.set(uuid, from);
    const agent = line['isSidechain'] === true ? agentOf(line) : undefined;
    const part = agent?.part ?? from;
    if (part === undefined) main.push(line);
    else {
      const known = parts.get(part) ?? { ...(agent === undefined ? { kind: 'branch', name: `branch ${String(++branches)}` } : { kind: 'sub-agent', name: agent.name, ...(agent.id === undefined ? {} : { agent: agent.id }) }), lines: [] };
      parts.set(part, known);
      known.lines.push(line);
    }
  }
  const [first, ...rest] = parts.values();
  // A sub-agent's own file has no other line.
  const own = main.length === 0 && first !== undefined;
  return { main: together(own ? first.lines : main), others: (own ? rest : [...parts.values()]).map((part) => ({ ...part, lines: together(part.lines) })) };
}

/** A session that is taken up again may repeat lines, names and all. */
function once(lines: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return lines.filter(({ uuid, message }) => {
    if (textOf(uuid) === undefined) return true;
    const line = JSON.stringify([uuid, message]);
    const known = seen.has(line);
    seen.add(line);
    return !known;
  });
}

/** Whose line of a sub-agent it is: by its id, or in older logs by the line that began what it follows. */
function subAgents(): (line: Row) => { readonly part: string; readonly name: string; readonly id?: string } {
  const beginnings = new Map<string, string>();
  return (line) => {
    const id = textOf(line['agentId']);
    if (id !== undefined) return { part: `agent ${id}`, name: `sub-agent ${id}`, id };
    const [uuid, parent] = [textOf(line['uuid']), textOf(line['parentUuid'])];
    const beginning = (parent === undefined ? undefined : beginnings.get(parent)) ?? uuid ?? '';
    if (uuid !== undefined) beginnings.set(uuid, beginning);
    return { part: `from ${beginning}`, name: 'sub-agent' };
  };
}

/** Prompts that a later one with the same parent stands for. */
function takenBack(lines: readonly Row[]): ReadonlySet<string> {
  const last = new Map<string, string>();
  const taken = new Set<string>();
  for (const line of lines) {
    const [uuid, parent] = [textOf(line['uuid']), textOf(line['parentUuid'])];
    if (uuid === undefined || parent === undefined || line['isSidechain'] === true || line['isMeta'] === true || !isPrompt(line)) continue;
    const before = last.get(parent);
    if (before !== undefined && before !== uuid) taken.add(before);
    last.set(parent, uuid);
  }
  return taken;
}

const textOf = (value: unknown): string | undefined => (isText(value) && value !== '' ? value : undefined);

function isPrompt({ message }: Row): boolean {
  if (!isRow(message) || message['role'] !== 'user') return false;
  return !isList(message['content']) || !message['content'].some((part) => isRow(part) && part['type'] === 'tool_result');
}

/** Lines with the id of a message that another line holds already follow that one. */
function together(lines: readonly Row[]): readonly Row[] {
  const groups: Row[][] = [];
  const byId = new Map<string, Row[]>();
  for (const line of lines) {
    const id = isRow(line['message']) && line['message']['role'] === 'assistant' ? textOf(line['message']['id']) : undefined;
    const known = id === undefined ? undefined : byId.get(id);
    if (known !== undefined) {
      known.push(line);
      continue;
    }
    const group = [line];
    groups.push(group);
    if (id !== undefined) byId.set(id, group);
  }
  return groups.flat();
}
