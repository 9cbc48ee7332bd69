import type { Finding } from '../../model';
import type { SideDraft } from '../format';
import { isList, isRow, isText } from '../row';
import type { Row } from '../row';
import { nameOf } from './steps';
import type { Walked } from './steps';

/** A trajectory within a document, and what was read of it; a text: why it holds no rollout. */
export interface Embedded {
  readonly row: Row;
  readonly draft: SideDraft['draft'] | string;
}

/** The trajectories that a document holds within it. */
export const embeddedIn = ({ subagent_trajectories: all }: Row): readonly Row[] => (isList(all) ? all.filter(isRow) : []);

/** Those of a document, each with the turn whose result refers to it. */
export function subAgents(embedded: readonly Embedded[], { references }: Walked): { readonly sideLines: readonly SideDraft[]; readonly notes: readonly Finding[] } {
  const byId = new Map<unknown, number>();
  for (const key of ['session_id', 'trajectory_id']) embedded.forEach(({ row }, i) => isText(row[key]) && byId.set(row[key], i));
  const turns = new Map<number, number>();
  const elsewhere: Row[] = [];
  for (const { turn, to } of references) {
    const found = byId.get(to['trajectory_id']) ?? byId.get(to['session_id']);
    if (found === undefined) elsewhere.push(to);
    else if (!turns.has(found)) turns.set(found, turn);
  }
  const notes: Finding[] = [];
  const sideLines = embedded.flatMap(({ row, draft }, i): readonly SideDraft[] => {
    const name = nameIn(row);
    if (typeof draft === 'string') {
      notes.push({ code: 'other-trajectories', severity: 'information', message: `The sub-agent trajectory ${nameOf(row)} ${draft}; it is left out.` });
      return [];
    }
    const turn = turns.get(i);
    return [{ kind: 'sub-agent', name, ...(turn === undefined ? {} : { turn }), draft }];
  });
  return { sideLines, notes: [...notes, ...inOtherFiles(elsewhere)] };
}

function nameIn({ agent, trajectory_id: id, session_id: session }: Row): string {
  const names = [isRow(agent) ? agent['name'] : undefined, id, session].filter(isText);
  return names.find((name) => name.trim() !== '') ?? '';
}

const shown = 3;

/** A path in a file is never followed. */
function inOtherFiles(references: readonly Row[]): readonly Finding[] {
  if (references.length === 0) return [];
  const names = references.slice(0, shown).map(nameOf);
  const message = `The steps refer to ${String(references.length)} trajector${references.length === 1 ? 'y' : 'ies'} of sub-agents in other files (${names.join(', ')}${references.length > shown ? ', …' : ''}); open ${references.length === 1 ? 'it' : 'them'} as files of their own.`;
  return [{ code: 'other-trajectories', severity: 'information', message }];
}
