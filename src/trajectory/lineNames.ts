import type { SideLine, Trajectory } from './model';
import { quote } from './visible';

/** A trajectory beside a record's main line, however deep, and what names it in the record. */
export interface NamedLine {
  /** Its name; of a line beside a line, both, outermost first: `searcher/attempt 2`. Unique in the record. */
  readonly path: string;
  readonly line: SideLine;
}

/** The path of a line beside the one of that path; `undefined`: beside the main one. Names may hold what parts them. */
export const pathOf = (name: string, beside?: string): string => (beside === undefined ? '' : `${beside}/`) + name.replace(/[\\/]/g, '\\$&');

/** Every line of a record beside its main one, each before those beside it. */
export function linesOf({ sideLines = [] }: Trajectory, beside?: string): readonly NamedLine[] {
  return sideLines.flatMap((line) => {
    const path = pathOf(line.name, beside);
    return [{ path, line }, ...linesOf(line.trajectory, path)];
  });
}

const shown = 8;

/** The line that is called so; a text: that there is none, in one sentence. */
export function findLine(t: Trajectory, path: string): SideLine | string {
  const lines = linesOf(t);
  const found = lines.find((named) => named.path === path);
  if (found !== undefined) return found.line;
  if (lines.length === 0) return `There is no line ${quote(path)}: the record holds its main line alone.`;
  const names = lines.slice(0, shown).map((named) => quote(named.path));
  return `There is no line ${quote(path)} in the record; it holds ${names.join(', ')}${lines.length > shown ? ', …' : ''} beside its main one.`;
}
