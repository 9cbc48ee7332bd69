import { isText } from './row';
import type { Row } from './row';

/** The events of a conversation by where they stand in its tree, each part in the file's order. */
export interface EventBranches {
  readonly main: readonly Row[];
  /** What was left: each from where it parts from the rest. */
  readonly branches: readonly (readonly Row[])[];
}

/**
 * A log only grows: where the conversation was taken back to an earlier event (`parent_id`), what had followed it was left. The main line leads to the
 * event where the conversation stands: `leaf`, else the last one. An event without a parent in the log follows the one before it.
 */
export function eventBranches(events: readonly Row[], leaf: unknown): EventBranches {
  if (!events.some(({ parent_id: parent }) => isText(parent))) return { main: events, branches: [] };
  const places = new Map<string, number>();
  const parents = events.map(({ id, parent_id: parent }, i) => {
    const at = isText(parent) ? places.get(parent) : undefined;
    if (isText(id)) places.set(id, i);
    return at ?? i - 1;
  });
  const last = (isText(leaf) ? places.get(leaf) : undefined) ?? events.length - 1;
  const onMain = new Set<number>();
  for (let i = last; i >= 0; i = parents[i] ?? -1) onMain.add(i);
  return { main: events.filter((_, i) => onMain.has(i)), branches: leftIn(events, parents, onMain) };
}

/** Each begins where its parent is on the main line, or is followed by another already. */
function leftIn(events: readonly Row[], parents: readonly number[], onMain: ReadonlySet<number>): readonly (readonly Row[])[] {
  const branches: Row[][] = [];
  /** The branch that ends in this event. */
  const ending = new Map<number, Row[]>();
  for (const [i, event] of events.entries()) {
    if (onMain.has(i)) continue;
    const parent = parents[i] ?? -1;
    const known = ending.get(parent);
    const branch = known ?? [];
    if (known === undefined) branches.push(branch);
    ending.delete(parent);
    branch.push(event);
    ending.set(i, branch);
  }
  return branches;
}
