import { afterEach, expect, test, vi } from 'vitest';
import { pickRecord } from '../../../src/editor/pickRecord';
import type { TrajectoryFile } from '../../../src/trajectory/file';
import { makeTrajectory } from '../../support/makeTrajectory';

interface Shown {
  readonly title: string;
  readonly described: number;
}

/** The list that was opened last: what it showed each time that it was written, and how the user ends it. */
const list = vi.hoisted(() => ({ shown: [] as Shown[], accept: (): void => undefined, hide: (): void => undefined, busy: false }));

vi.mock('vscode', () => ({
  window: {
    createQuickPick: () => {
      const pick = {
        title: '',
        activeItems: [] as { record: number }[],
        set items(items: { record: number; description: string }[]) {
          list.shown.push({ title: pick.title, described: items.filter(({ description }) => !description.startsWith('line ')).length });
          pick.activeItems = items.slice(0, 1);
        },
        set busy(busy: boolean) {
          list.busy = busy;
        },
        onDidAccept: (then: () => void) => (list.accept = then),
        onDidHide: (then: () => void) => (list.hide = then),
        show: () => undefined,
        hide: () => list.hide(),
        dispose: () => undefined,
      };
      return pick;
    },
  },
}));
afterEach(() => void (list.shown.length = 0));

const trajectory = makeTrajectory({ turns: [{ search: 'one' }], answer: 'a' });

function fileOf(records: number): { file: TrajectoryFile; read: () => number } {
  let read = 0;
  const file: TrajectoryFile = {
    kind: { kind: 'trajectories', format: 'verl' },
    records: Array.from({ length: records }, (_, record) => ({ record, start: record, end: record + 1, line: record })),
    read: async () => (read++, { kind: 'trajectory', trajectory }),
    raw: async () => '',
  };
  return { file, read: () => read };
}

test('the list says how far it is, and is written a few times however many records there are', async () => {
  const picked = pickRecord(fileOf(1000).file, 'a.jsonl', {});
  await expect.poll(() => list.busy).toBe(false);
  expect(list.shown.slice(1).map(({ title, described }) => [title, described])).toEqual([
    ['a.jsonl · 0 of 1000 records read', 0],
    ...[20, 40, 80, 160, 320, 640].map((read) => [`a.jsonl · ${String(read)} of 1000 records read`, read]),
    ['a.jsonl · 1000 records', 1000],
  ]);
  list.accept();
  expect(await picked).toBe(0);
});

test('nothing is read once it is closed', async () => {
  const { file, read } = fileOf(100_000);
  const picked = pickRecord(file, 'a.jsonl', {});
  await expect.poll(read).toBeGreaterThan(20);
  list.hide();
  expect(await picked).toBeUndefined();
  await expect.poll(() => list.busy).toBe(false);
  const before = read();
  await new Promise((resume) => setTimeout(resume, 50));
  expect([read(), before < 100_000]).toEqual([before, true]);
});
