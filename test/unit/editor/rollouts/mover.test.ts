import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { undefinedBecause } from '../../../../src/credit/score';
import { Mover } from '../../../../src/editor/rollouts/mover';
import type { Node } from '../../../../src/editor/rollouts/nodes';
import type { LineRow, RolloutRow } from '../../../../src/editor/rollouts/row';

type Tree = ConstructorParameters<typeof Mover>[0];
type Told = Parameters<Parameters<Tree['onDidExpandElement']>[0]>[0];

const row: RolloutRow = { record: 0, question: 'q', group: 'g', turns: 1, outcome: undefinedBecause('no gold'), findings: 0, messages: [], lines: [], beside: 0 };
const fileNode: Node = { kind: 'file', source: 'a', record: 0 };
const rollout = (record: number): Node => ({ kind: 'rollout', source: 'a', record, listed: { row } });
const line = (name: string): Node => ({ kind: 'line', source: 'a', record: 0, listed: { row }, row: { line: name, kind: 'sub-agent', turns: 1 } satisfies LineRow });

/** A tree that does what it is told, or loses it, as one does that is drawn anew at that moment. */
function treeOf(lose: (nth: number) => 'nothing' | 'opening' | 'all'): { tree: Tree; revealed: Node[]; focused: unknown[]; selection: () => readonly Node[]; collapse: () => void } {
  const nothing = { dispose: () => undefined };
  const revealed: Node[] = [];
  const focused: unknown[] = [];
  let selection: readonly Node[] = [];
  let [expanded, collapsed]: ((e: Told) => unknown)[] = [];
  const tree: Tree = {
    get selection() {
      return selection;
    },
    reveal: async (node, options) => {
      revealed.push(node);
      focused.push(options?.focus);
      const lost = lose(revealed.length);
      if (lost === 'all') return;
      selection = [node];
      if (options?.expand && lost !== 'opening') expanded?.({ element: node });
    },
    onDidExpandElement: (listener) => ((expanded = listener), nothing),
    onDidCollapseElement: (listener) => ((collapsed = listener), nothing),
  };
  return { tree, revealed, focused, selection: () => selection, collapse: () => collapsed?.({ element: fileNode }) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells the tree again until the line is selected, and a file’s is open', async () => {
  const { tree, revealed } = treeOf((nth) => (nth === 1 ? 'all' : nth === 2 ? 'opening' : 'nothing'));
  const moving = new Mover(tree).to(fileNode, () => true);
  await vi.runAllTimersAsync();
  await moving;
  expect(revealed).toEqual([fileNode, fileNode, fileNode]);
});

it.each([
  ['at the first word', 1, [true]],
  ['until it is there', 4, [true, true, true]],
  ['not once the user has gone elsewhere', 2, [true, true, false]],
  ['not at all where nobody waits', 0, [false, false, false]],
])('takes the keyboard while the user waits for it: %s', async (how, waits, expected) => {
  const { tree, focused } = treeOf((nth) => (nth < expected.length ? 'all' : 'nothing'));
  let asked = 0;
  const moving = new Mover(tree).to(rollout(1), () => ++asked <= waits);
  await vi.runAllTimersAsync();
  await moving;
  expect(focused, how).toEqual(expected);
});

it('moves to what was asked for last', async () => {
  const { tree, revealed, selection } = treeOf((nth) => (nth === 1 ? 'all' : 'nothing'));
  const mover = new Mover(tree);
  const moving = [mover.to(rollout(1), () => true), mover.to(rollout(2), () => true)];
  await vi.runAllTimersAsync();
  await Promise.all(moving);
  expect(selection()).toEqual([rollout(2)]);
  expect(revealed).toHaveLength(2);
});

it('tells the lines beside one rollout apart', async () => {
  const { tree, selection } = treeOf((nth) => (nth === 2 ? 'all' : 'nothing'));
  const mover = new Mover(tree);
  for (const node of [line('a'), line('b')]) {
    const moving = mover.to(node, () => true);
    await vi.runAllTimersAsync();
    await moving;
  }
  expect(selection()).toEqual([line('b')]);
});

it.each(['was closed', 'was removed'])('opens a file’s line again that %s', async (how) => {
  const { tree, revealed, collapse } = treeOf((nth) => (nth === 2 ? 'opening' : 'nothing'));
  const mover = new Mover(tree);
  await mover.to(fileNode, () => true);
  if (how === 'was closed') collapse();
  else mover.forget(fileNode.source);
  const moving = mover.to(fileNode, () => true);
  await vi.runAllTimersAsync();
  await moving;
  expect(revealed).toHaveLength(3);
});

it('rejects as the tree does to the last, and lets it be drawn again', async () => {
  let tries = 0;
  const { tree } = treeOf(() => 'nothing');
  const mover = new Mover({
    ...tree,
    reveal: async () => {
      tries++;
      throw new Error('no such line');
    },
  });
  const moving = expect(mover.to(rollout(0), () => true)).rejects.toThrow('no such line');
  await vi.runAllTimersAsync();
  await moving;
  await mover.moved;
  expect(tries).toBe(20);
});
