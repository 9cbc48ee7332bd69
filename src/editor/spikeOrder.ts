/** The line after (or before) `from` in a sorted list, around its end. */
export function neighbour(lines: readonly number[], from: number, direction: 1 | -1): number | undefined {
  return direction === 1 ? (lines.find((l) => l > from) ?? lines[0]) : (lines.findLast((l) => l < from) ?? lines.at(-1));
}
