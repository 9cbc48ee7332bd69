import { expect, test, vi } from 'vitest';
import type { Gathering, Target } from '../../../src/editor/rescore';
import { Resolver } from '../../../src/editor/resolve';
import type { TrajectoryFile } from '../../../src/trajectory/file';
import type { RecordResult } from '../../../src/trajectory/records';
import { clear, told } from '../../support/fakeVscode';
import { makeTrajectory } from '../../support/makeTrajectory';

vi.mock('vscode', async () => ({ ...(await import('../../support/fakeVscode')), Uri: { parse: (text: string) => ({ path: text, toString: () => text }) }, workspace: { textDocuments: [] } }));

const trajectory = makeTrajectory({ turns: [{ search: 'one' }], answer: 'a' });

function resolverOf(results: readonly (RecordResult | Error)[]): { targets: (records: readonly number[] | 'all', on: Gathering) => Promise<Target[] | undefined>; opened: () => number } {
  let opened = 0;
  const file: TrajectoryFile = {
    kind: { kind: 'trajectories', format: 'verl' },
    records: results.map((_, record) => ({ record, start: record, end: record + 1, line: record })),
    read: async (record) => {
      const result = results[record];
      if (!result || result instanceof Error) throw result ?? new Error('no such record');
      return result;
    },
    raw: async () => '',
  };
  const sources = { open: async () => (opened++, file), options: async () => ({}) };
  const make = Resolver as unknown as new (...parts: readonly unknown[]) => Resolver;
  const resolver = new make({ annotated: () => undefined }, sources);
  return { targets: (records, on) => resolver.targets('file:///a.jsonl', records, on), opened: () => opened };
}

const read: RecordResult = { kind: 'trajectory', trajectory };

test('a file is opened once for all the records of a run, and those that cannot be read are counted', async () => {
  clear();
  const { targets, opened } = resolverOf([read, { kind: 'problem', message: 'Line 2: no JSON.' }, new Error('EIO'), read]);
  const on: Gathering = { say: () => undefined, signal: new AbortController().signal };
  expect((await targets('all', on))?.map(({ rollout }) => rollout)).toEqual([0, 3].map((record) => ({ source: 'file:///a.jsonl', record })));
  expect([opened(), told]).toEqual([1, ['2 of 4 records of a.jsonl could not be read and are left out; the Rollouts view says why.']]);
  expect((await targets([3, 9], on))?.map(({ rollout }) => rollout.record)).toEqual([3]);
});

test('the reading says how far it is, and ends when it is stopped', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const { targets } = resolverOf(Array<RecordResult>(1_000_000).fill(read));
  const on: Gathering = { say: (message) => { said.push(message); stop.abort(new Error('stopped')); }, signal: stop.signal };
  await expect(targets('all', on)).rejects.toThrow('stopped');
  expect(said).toEqual([expect.stringMatching(/^\d+ of 1000000 rollouts read$/)]);
});
