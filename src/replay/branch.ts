/** A stretch of the prefix tree, or what is decoded after it. Plan nodes are branches; so is an answer that is being written. */
export interface Branch {
  readonly parent?: Branch;
  /** Depth of its first token: so many tokens of its ancestors stand before it, and it sees no others of theirs. */
  readonly start: number;
}

/** Tokens of one branch that stand side by side in a run or in a cache. */
export interface Stretch {
  readonly branch: Branch;
  /** Depth of its first token, which is also that token's position. */
  readonly from: number;
  /** Tokens. */
  readonly length: number;
}

/** Added to an attention score it leaves nothing of it in float32, and is finite. */
const hidden = -1e9;

export const lengthOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { length }) => sum + length, 0);

/** Positions of a run's tokens, in order. */
export const positionsOf = (stretches: readonly Stretch[]): number[] => stretches.flatMap(({ from, length }) => Array.from({ length }, (_, i) => from + i));

/**
 * What is added to the attention scores of a run [tokens, past + tokens]: 0 where a token sees another, which is where that one stands before
 * it on its own path through the tree; a large negative number elsewhere.
 */
export function treeBias(past: readonly Stretch[], run: readonly Stretch[]): Float32Array {
  const columns = [...past, ...run];
  const total = lengthOf(columns);
  const bias = new Float32Array(lengthOf(run) * total).fill(hidden);
  let row = 0;
  for (const query of run) {
    const limits = limitsOf(query.branch);
    for (let depth = query.from; depth < query.from + query.length; depth++, row += total) {
      let column = row;
      for (const { branch, from, length } of columns) {
        const limit = branch === query.branch ? depth + 1 : (limits.get(branch) ?? 0);
        const seen = Math.min(length, limit - from);
        if (seen > 0) bias.fill(0, column, column + seen);
        column += length;
      }
    }
  }
  return bias;
}

/** The first so many columns. */
export function firstColumns(stretches: readonly Stretch[], length: number): Stretch[] {
  const kept: Stretch[] = [];
  let left = length;
  for (const stretch of stretches) {
    if (left <= 0) break;
    kept.push({ ...stretch, length: Math.min(stretch.length, left) });
    left -= stretch.length;
  }
  return kept;
}

/** For each ancestor, the depth where the path leaves it. */
function limitsOf(branch: Branch): Map<Branch, number> {
  const limits = new Map<Branch, number>();
  for (let child = branch; child.parent; child = child.parent) limits.set(child.parent, child.start);
  return limits;
}
