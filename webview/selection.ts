import type { Snapshot } from '../src/panel/contract';

/** The turn that was selected last, and the document whose it is. */
export interface Kept {
  readonly document: string;
  readonly selected: number;
}

type Trajectory = Extract<Snapshot, { readonly kind: 'trajectory' }>;

/** The turn under the editor's cursor, else the one kept, where that is of this document and still there. */
export function selectedIn({ document, selected, turns }: Trajectory, kept: Kept | undefined): number | undefined {
  if (selected !== undefined) return selected;
  return kept?.document === document && kept.selected <= turns.length ? kept.selected : undefined;
}
