import { beforeEach, expect, test, vi } from 'vitest';
import { orAborted, RunQueue } from '../../../src/editor/runQueue';
import { PolicyError } from '../../../src/replay/policy';
import { clear, stops, told } from '../../support/fakeVscode';

vi.mock('vscode', () => import('../../support/fakeVscode'));
beforeEach(clear);

test('runs stand in a row, each with its cancel from the moment that it is asked for', async () => {
  const order: string[] = [];
  let finish: () => void = () => undefined;
  const queue = new RunQueue();
  const first = queue.add(() => new Promise<string>((resolve) => (finish = () => resolve('first'))));
  const second = queue.add(async () => order.push('second'));
  const third = queue.add(async () => order.push('third'));
  expect([stops.length, told]).toEqual([3, ['waiting for another run', 'waiting for another run']]);
  stops[1]?.();
  await expect(second).rejects.toEqual(new PolicyError('cancelled', 'Cancelled.'));
  await new Promise((resume) => setTimeout(resume, 20));
  expect(order).toEqual([]);
  finish();
  expect(await first).toBe('first');
  await third;
  expect(order).toEqual(['third']);
});

test('what is aborted is not waited for', async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(new Error('no.')), signal)).rejects.toThrow('no.');
  await expect(orAborted(new Promise(() => undefined), AbortSignal.abort(new Error('stopped.')))).rejects.toThrow('stopped.');
});
