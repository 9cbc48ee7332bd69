import type { Finding, SideLine, Trajectory } from '../model';
import { quote } from '../visible';
import type { Draft, KeptDraft, SideDraft } from './format';

/** Side lines within side lines that are followed. */
export const deepest = 8;

/** The lines beside a draft's own, each with a name that no other has; of a turn that there is, or of none. */
export function sideLinesOf({ sideLines = [] }: Draft | KeptDraft, turns: number, depth: number, read: (draft: Draft | KeptDraft) => Trajectory): readonly SideLine[] {
  if (depth >= deepest) return [];
  const name = uniqueNames();
  return sideLines.map(({ kind, name: wanted, turn, draft }) => {
    const belongs = turn !== undefined && turn >= 1 && turn <= turns;
    return { kind, name: name(wanted.trim() === '' ? kind : wanted), ...(belongs ? { turn } : {}), trajectory: read(draft) };
  });
}

/** What was taken back, as branches; a text instead of a draft: the policy said nothing there, and there is none. */
export function branchesOf(drafts: readonly (Draft | string)[]): readonly SideDraft[] {
  return drafts.filter((draft) => typeof draft !== 'string').map((draft, i) => ({ kind: 'branch', name: `branch ${String(i + 1)}`, draft }));
}

/** Tells equal names apart: `searcher`, `searcher (2)`. */
function uniqueNames(): (wanted: string) => string {
  const used = new Set<string>();
  const next = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    let n = next.get(wanted) ?? 2;
    while (used.has(name)) name = `${wanted} (${String(n++)})`;
    next.set(wanted, n);
    used.add(name);
    return name;
  };
}

const plural: Readonly<Record<SideLine['kind'], string>> = { attempt: 'attempts', branch: 'branches', 'sub-agent': 'sub-agents' };
const shown = 3;

/** Says what stands beside the main line, so that nobody takes it for all there is. */
export function otherLines(lines: readonly SideLine[]): Finding {
  const kinds = [...new Set(lines.map(({ kind }) => kind))].map((kind) => {
    const of = lines.filter((line) => line.kind === kind);
    const names = of.slice(0, shown).map(({ name }) => quote(name));
    return `${String(of.length)} ${of.length === 1 ? kind : plural[kind]} (${names.join(', ')}${of.length > shown ? ', …' : ''})`;
  });
  return { code: 'other-trajectories', severity: 'information', message: `Beside this trajectory the record holds ${kinds.join(' and ')}; each opens from here as one of its own.` };
}
