import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { firstColumns, positionsOf, treeBias, type Branch, type Stretch } from '../../../src/replay/branch';
import { plan } from '../../../src/replay/plan';
import { subtreeOf, stretchOf } from '../../../src/replay/trunk';

const trunk: Branch = { start: 0 };
const left: Branch = { parent: trunk, start: 3 };
const right: Branch = { parent: trunk, start: 1 };
const deeper: Branch = { parent: left, start: 5 };

/** x: sees it. */
function drawn(past: readonly Stretch[], run: readonly Stretch[]): string[] {
  const bias = treeBias(past, run);
  const rows = positionsOf(run).length;
  return Array.from({ length: rows }, (_, row) => Array.from(bias.subarray((row * bias.length) / rows, ((row + 1) * bias.length) / rows), (value) => (value === 0 ? 'x' : '.')).join(''));
}

describe('treeBias', () => {
  test('a token sees what stands before it on its own path', () => {
    const run = [
      { branch: trunk, from: 0, length: 4 },
      { branch: left, from: 3, length: 2 },
      { branch: right, from: 1, length: 1 },
      { branch: deeper, from: 5, length: 1 },
    ];
    expect(drawn([], run)).toEqual(['x.......', 'xx......', 'xxx.....', 'xxxx....', 'xxx.x...', 'xxx.xx..', 'x.....x.', 'xxx.xx.x']);
  });

  test('the past counts as its tokens do', () => {
    expect(drawn([{ branch: trunk, from: 0, length: 3 }, { branch: left, from: 3, length: 2 }], [{ branch: left, from: 5, length: 2 }, { branch: right, from: 1, length: 1 }])).toEqual(['xxxxxx..', 'xxxxxxx.', 'x......x']);
  });

  test('over any tree, each token sees as many as stand before it, and itself', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }), (sequences) => {
        const { roots, tokensTree } = plan(sequences.map((tokens) => ({ tokens, rows: [tokens.length - 1] })));
        const run = roots.flatMap((node) => subtreeOf({ node, start: 0 })).map(stretchOf);
        const seen = drawn([], run).map((row) => row.replaceAll('.', '').length);
        expect(seen.length).toBe(tokensTree);
        expect(seen).toEqual(positionsOf(run).map((position) => position + 1));
      }),
    );
  });
});

test('the first columns end within a stretch', () => {
  expect(firstColumns([{ branch: trunk, from: 0, length: 3 }, { branch: left, from: 3, length: 4 }], 5)).toEqual([{ branch: trunk, from: 0, length: 3 }, { branch: left, from: 3, length: 2 }]);
});
