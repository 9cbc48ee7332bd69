import { beforeEach, expect, test, vi } from 'vitest';
import { Rescoring, type Target } from '../../../src/editor/rescore';
import { ScoreBook } from '../../../src/editor/scoreBook';
import { PolicyError } from '../../../src/replay/policy';
import type { TrajectoryScores } from '../../../src/scoring/model';
import type { Scorer } from '../../../src/scoring/scorer';
import type { Trajectory } from '../../../src/trajectory/model';
import { clear, stops, told } from '../../support/fakeVscode';
import { makeTrajectory } from '../../support/makeTrajectory';
import { scores } from './sampleScores';

vi.mock('vscode', () => import('../../support/fakeVscode'));
beforeEach(clear);

const trajectory = (search: string): Trajectory => makeTrajectory({ turns: [{ search, result: 'a' }], answer: 'a' });
const target = (record: number): Target => ({ rollout: { source: 'file:///a', record }, trajectory: trajectory(`q${record}`) });
const session = (scorer: Partial<Scorer>, recall = async (): Promise<unknown> => scorer): unknown => ({ scorer: async () => scorer, recall, remember: async () => undefined, failed: () => undefined });
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const cleared = { has: () => false, delete: () => undefined, add: () => undefined };

function rescoringOf(of: unknown, latest: () => Trajectory | undefined = () => undefined): { rescoring: Rescoring; book: ScoreBook } {
  const book = new ScoreBook();
  const make = Rescoring as unknown as new (...parts: readonly unknown[]) => Rescoring;
  return { rescoring: new make(of, book, () => ({ credit: {} }), latest, cleared, log), book };
}

const nothingCached = { prepare: async () => undefined, fromCache: () => [] };

test('a text that is edited while others are still scored is stale as soon as its own figures are there', async () => {
  let finish: () => void = () => undefined;
  const [edited, other] = [target(0), target(1)];
  const scorer: Partial<Scorer> = {
    ...nothingCached,
    score: async (_, __, on) => {
      on.trajectory?.(0, scores);
      await new Promise<void>((resolve) => (finish = resolve));
      return [scores, scores];
    },
  };
  const { rescoring, book } = rescoringOf(session(scorer), () => trajectory('edited'));
  const run = rescoring.run(async () => [edited, other], { scope: 'trajectory' });
  await expect.poll(() => book.get(edited.rollout)?.freshness).toBe('stale');
  finish();
  expect(await run).toBe(true);
});

test('a question that was finished before a cancel keeps the figures over all its rollouts', async () => {
  const over = (rollouts: number): TrajectoryScores => ({ ...scores, group: { scope: rollouts === 1 ? 'trajectory' : 'question', id: null, rollouts, turns: 3 * rollouts } });
  const scorer: Partial<Scorer> = {
    ...nothingCached,
    score: async (_, __, on) => {
      for (const index of [0, 2, 1]) on.trajectory?.(index, over(1));
      on.question?.([0, 2], [over(2), over(2)]);
      throw new PolicyError('cancelled', 'Cancelled.');
    },
  };
  const { rescoring, book } = rescoringOf(session(scorer));
  const targets = [0, 1, 2].map(target);
  expect(await rescoring.run(async () => targets, { scope: 'question' })).toBe(false);
  expect(targets.map(({ rollout }) => book.get(rollout)?.scores.group.rollouts)).toEqual([2, 1, 2]);
  expect(targets.map(({ rollout }) => rescoring.lastRun(rollout)?.scope)).toEqual(['question', 'trajectory', 'question']);
});

test('arithmetic that was begun before other settings is not shown after theirs', async () => {
  const waiting: (() => void)[] = [];
  let figures = scores;
  const scorer: Partial<Scorer> = { prepare: async () => undefined, fromCache: () => [figures], score: async () => [scores] };
  const { rescoring, book } = rescoringOf(session(scorer, () => new Promise((resolve) => waiting.push(() => resolve(scorer)))));
  const { rollout } = target(0);
  await rescoring.run(async () => [target(0)], { scope: 'trajectory' });
  for (let i = 0; i < 2; i++) rescoring.settingsChanged([rollout]);
  const newest = { ...scores, gold: 'newest' };
  figures = newest;
  waiting[1]?.();
  await expect.poll(() => book.get(rollout)?.scores).toBe(newest);
  figures = scores;
  waiting[0]?.();
  await new Promise((resume) => setTimeout(resume));
  expect(book.get(rollout)?.scores).toBe(newest);
});

test('what is read for a run is read under its progress, and its cancel stops the reading', async () => {
  let asked = 0;
  const { rescoring } = rescoringOf(session({ ...nothingCached, score: async () => (asked++, []) }));
  const run = rescoring.run(
    async ({ say, signal }) => {
      say('1 of 2 rollouts read');
      stops[0]?.();
      signal.throwIfAborted();
      return [target(0)];
    },
    { scope: 'question' },
  );
  expect([await run, asked, told]).toEqual([false, 0, ['1 of 2 rollouts read']]);
});

test('nothing to score loads no policy', async () => {
  let asked = 0;
  const { rescoring } = rescoringOf({ scorer: async () => asked++ });
  expect([await rescoring.run(async () => [], { scope: 'question' }), asked]).toEqual([false, 0]);
});

test('figures that a file held are gone with them', async () => {
  const { rescoring, book } = rescoringOf(session({ ...nothingCached }));
  const read = target(0);
  book.set([[read.rollout, { scores, freshness: 'saved' }]]);
  await rescoring.remember(read);
  expect(book.get(read.rollout)).toBeUndefined();
});
