import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plan, subtreeTokens, type PlanNode, type Sequence } from '../../../src/replay/plan';
import { subtreeOf, trunkOf } from '../../../src/replay/trunk';

/** Few ids, so that prefixes are shared. */
const sequence = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 }).chain((tokens) =>
  fc.record({ tokens: fc.constant(tokens), rows: fc.uniqueArray(fc.integer({ min: 0, max: tokens.length - 1 })).map((rows) => rows.sort((a, b) => a - b)) }),
);
const sequences = fc.array(sequence, { maxLength: 20 });

interface Reached {
  readonly tokens: readonly number[];
  readonly rows: ReadonlySet<number>;
}

/** What the tree says of each sequence, from the root to where it ends. */
function walk(nodes: readonly PlanNode[], above: Reached = { tokens: [], rows: new Set() }, found = new Map<number, Reached>()): Map<number, Reached> {
  for (const node of nodes) {
    expect(node.start).toBe(above.tokens.length);
    expect(node.tokens.length).toBeGreaterThan(0);
    const here = { tokens: [...above.tokens, ...node.tokens], rows: new Set([...above.rows, ...node.rows]) };
    for (const end of node.ends) found.set(end, here);
    walk(node.children, here, found);
  }
  return found;
}

const prefixes = (all: readonly Sequence[]): Set<string> => new Set(all.flatMap(({ tokens }) => tokens.map((_, end) => tokens.slice(0, end + 1).join())));

describe('the prefix tree', () => {
  test('gives back every sequence, with the rows it wants on the way', () => {
    fc.assert(
      fc.property(sequences, (all) => {
        const found = walk(plan(all).roots);
        expect(found.size).toBe(all.length);
        for (const [index, { tokens, rows }] of all.entries()) {
          expect(found.get(index)?.tokens).toEqual(tokens);
          for (const row of rows) expect(found.get(index)?.rows).toContain(row);
        }
      }),
    );
  });

  test('runs each distinct prefix once, as a trie would', () => {
    fc.assert(
      fc.property(sequences, (all) => {
        const tree = plan(all);
        expect(tree.tokensTree).toBe(prefixes(all).size);
        expect(tree.tokensTree).toBe(tree.roots.reduce((sum, root) => sum + subtreeTokens(root), 0));
        expect(tree.tokensNaive).toBe(all.reduce((sum, { tokens }) => sum + tokens.length, 0));
      }),
    );
  });

  test('is compressed: a node ends only where sequences part or one ends, and branches differ', () => {
    fc.assert(
      fc.property(sequences, (all) => {
        const open = [...plan(all).roots];
        for (let node = open.pop(); node; node = open.pop()) {
          expect(node.children.length !== 1 || node.ends.length > 0).toBe(true);
          expect(new Set(node.children.map((child) => child.tokens[0])).size).toBe(node.children.length);
          expect(node.rows.every((row, index) => row >= (node?.start ?? 0) && row < (node?.start ?? 0) + (node?.tokens.length ?? 0) && row > (node?.rows[index - 1] ?? -1))).toBe(true);
          open.push(...node.children);
        }
      }),
    );
  });

  test('holds more branches at one place than a call takes arguments', () => {
    const many = 200_000;
    const [root] = plan(Array.from({ length: many }, (_, i) => ({ tokens: i === many - 1 ? [0, i, 1] : [0, i], rows: [] }))).roots;
    if (root === undefined) throw new Error('a root expected');
    const place = { node: root, start: root.start };
    expect([subtreeTokens(root), subtreeOf(place).length, trunkOf(place).at(-1)?.node.ends]).toEqual([many + 2, many + 1, [many - 1]]);
  });

  test('asks equal sequences once', () => {
    const tree = plan([
      { tokens: [1, 2, 3], rows: [2] },
      { tokens: [1, 2, 3], rows: [1, 2] },
      { tokens: [1, 2], rows: [] },
    ]);
    expect(tree).toEqual({
      roots: [{ start: 0, tokens: [1, 2], rows: [1], ends: [2], children: [{ start: 2, tokens: [3], rows: [2], ends: [0, 1], children: [] }] }],
      tokensNaive: 8,
      tokensTree: 3,
    });
  });

  test('takes a thousand long sequences that share all but their last token', () => {
    const trunk = Array.from({ length: 2000 }, (_, token) => token);
    const tree = plan(Array.from({ length: 1000 }, (_, last) => ({ tokens: [...trunk, 5000 + last], rows: [] })));
    expect(tree.tokensTree).toBe(3000);
    expect(plan([]).tokensTree).toBe(0);
  });
});
