import type { TokenIds } from './requests';

/** What one request asks of the model, in token ids. */
export interface Sequence {
  /** Tokens to run, at least one: of a likelihood context + target less its last token, of an answer the context. */
  readonly tokens: TokenIds;
  /** Indices into `tokens` whose next-token logits are wanted, ascending. */
  readonly rows: readonly number[];
}

/** A stretch of tokens that is run once for all sequences that pass through it. */
export interface PlanNode {
  /** Depth of its first token: how many tokens stand before it. */
  readonly start: number;
  /** At least one. */
  readonly tokens: TokenIds;
  /** Depths whose next-token logits some sequence wants, ascending, within [start, start + tokens.length). */
  readonly rows: readonly number[];
  /** Branches, by the order of their first sequence; their first tokens differ. */
  readonly children: readonly PlanNode[];
  /** Indices of the sequences that end with this node's last token; equal sequences end together. */
  readonly ends: readonly number[];
}

/** All sequences as one compressed prefix tree. How it is run (forked, packed) is the executor's choice. */
export interface Plan {
  readonly roots: readonly PlanNode[];
  /** Sum of the sequences' lengths: what one forward each would run. */
  readonly tokensNaive: number;
  /** Sum of the nodes' lengths: what the tree runs. */
  readonly tokensTree: number;
}

/** Builds the prefix tree of `sequences`. Time: sorting plus one pass; no token is compared more than a few times. */
export function plan(sequences: readonly Sequence[]): Plan {
  const order = sequences.map((_, index) => index).sort((a, b) => compare(tokensOf(sequences, a), tokensOf(sequences, b)));
  const roots = branches(sequences, order, 0);
  let tokensNaive = 0;
  for (const sequence of sequences) tokensNaive += sequence.tokens.length;
  return { roots, tokensNaive, tokensTree: roots.reduce((sum, root) => sum + subtreeTokens(root), 0) };
}

/** Tokens in `node` and everything below it. */
export function subtreeTokens(node: PlanNode): number {
  let sum = 0;
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    sum += next.tokens.length;
    for (const child of next.children) open.push(child);
  }
  return sum;
}

/** Nodes for sorted sequences that agree on their first `depth` tokens and are all longer than that. */
function branches(sequences: readonly Sequence[], sorted: readonly number[], depth: number): PlanNode[] {
  const groups: { readonly first: number; readonly sorted: readonly number[] }[] = [];
  for (let from = 0; from < sorted.length; ) {
    const token = tokenAt(sequences, sorted, from, depth);
    let to = from + 1;
    while (to < sorted.length && tokenAt(sequences, sorted, to, depth) === token) to++;
    const group = sorted.slice(from, to);
    groups.push({ first: group.reduce((least, index) => Math.min(least, index)), sorted: group });
    from = to;
  }
  return groups.sort((a, b) => a.first - b.first).map((group) => node(sequences, group.sorted, depth));
}

function node(sequences: readonly Sequence[], sorted: readonly number[], start: number): PlanNode {
  const first = tokensOf(sequences, sorted[0]);
  // Sorted, so what the first and the last share is shared by all between them.
  const end = commonPrefix(first, tokensOf(sequences, sorted.at(-1)), start);
  const rows = new Set<number>();
  for (const index of sorted) for (const row of sequences[index]?.rows ?? []) if (row >= start && row < end) rows.add(row);
  const ends = sorted.filter((index) => sequences[index]?.tokens.length === end).sort((a, b) => a - b);
  const longer = sorted.filter((index) => (sequences[index]?.tokens.length ?? 0) > end);
  return { start, tokens: first.slice(start, end), rows: [...rows].sort((a, b) => a - b), children: branches(sequences, longer, end), ends };
}

const tokensOf = (sequences: readonly Sequence[], index: number | undefined): TokenIds => (index === undefined ? [] : (sequences[index]?.tokens ?? []));
const tokenAt = (sequences: readonly Sequence[], sorted: readonly number[], at: number, depth: number): number | undefined => tokensOf(sequences, sorted[at])[depth];

function commonPrefix(a: TokenIds, b: TokenIds, from: number): number {
  const most = Math.min(a.length, b.length);
  let length = from;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

function compare(a: TokenIds, b: TokenIds): number {
  const shared = commonPrefix(a, b, 0);
  return (a[shared] ?? -1) - (b[shared] ?? -1);
}
