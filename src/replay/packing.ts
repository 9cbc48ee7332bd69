/** What a run costs on a device, in units of one token's way through the weights in a long run. Measured: docs/decisions/packing.md. */
export interface RunCost {
  /** Of a run, whatever its length: weights that are read, dequantised or fetched, launches, the cache that is copied. */
  readonly run: number;
  /** Of a pair of tokens in attention, hidden ones too. */
  readonly pair: number;
  /** Tokens that a run takes at most: cancelling and signs of life take effect between runs. */
  readonly longestRun: number;
  /** Pairs that a run's mask takes at most; four bytes each. */
  readonly largestMask: number;
}

export const cpuCost: RunCost = { run: 12, pair: 1 / 1500, longestRun: 256, largestMask: 4 << 20 };
export const gpuCost: RunCost = { run: 128, pair: 1 / 8000, longestRun: 1024, largestMask: 16 << 20 };

/** What branches off a trunk whose cache is there. */
export interface SideBranch {
  /** Tokens of the trunk before it. */
  readonly start: number;
  /** Tokens in it and below it. */
  readonly tokens: number;
}

/**
 * Which branches share a run, each packed whole, and which are run alone from the cache: a branch joins others while the run gets cheaper
 * by it than two runs are. Small ones share well; in a long one, what the others' tokens cost in attention soon outweighs a run.
 */
export function choosePacks<B extends SideBranch>(branches: readonly B[], cost: RunCost): { packs: B[][]; alone: B[] } {
  const groups: B[][] = [];
  for (const branch of [...branches].sort((a, b) => a.tokens - b.tokens)) {
    const last = groups.at(-1);
    const joined = last && [...last, branch];
    if (joined && fits(joined, cost) && costOf(joined, cost) <= costOf(last, cost) + costOf([branch], cost)) last.push(branch);
    else groups.push([branch]);
  }
  return { packs: groups.filter((group) => group.length > 1), alone: groups.filter((group) => group.length === 1).flat() };
}

const tokensOf = (group: readonly SideBranch[]): number => group.reduce((sum, { tokens }) => sum + tokens, 0);
const pastOf = (group: readonly SideBranch[]): number => group.reduce((most, { start }) => Math.max(most, start), 0);

function fits(group: readonly SideBranch[], { longestRun, largestMask }: RunCost): boolean {
  const tokens = tokensOf(group);
  return tokens <= longestRun && tokens * (pastOf(group) + tokens) <= largestMask;
}

function costOf(group: readonly SideBranch[], { run, pair, longestRun }: RunCost): number {
  const tokens = tokensOf(group);
  const runs = Math.ceil(tokens / longestRun);
  // A branch alone that takes several runs attends to what is there by then, on average half of itself.
  const seen = pastOf(group) + (runs > 1 ? tokens / 2 : tokens);
  return runs * run + tokens + pair * tokens * seen;
}
