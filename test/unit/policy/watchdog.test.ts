import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watchdog } from '../../../src/policy/watchdog';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function watched(): { watchdog: Watchdog; silences: number[] } {
  const silences: number[] = [];
  return { watchdog: new Watchdog({ floorMs: 60_000, factor: 10 }, (forMs) => silences.push(forMs)), silences };
}

test('a minute without a sign of life is a silence, and each further minute too', () => {
  const { watchdog, silences } = watched();
  watchdog.start();
  vi.advanceTimersByTime(59_999);
  watchdog.alive();
  vi.advanceTimersByTime(59_999);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silences).toEqual([60_000]);
  vi.advanceTimersByTime(60_000);
  expect(silences).toEqual([60_000, 120_000]);
});

test('slow steps buy more patience: ten times the last one', () => {
  const { watchdog, silences } = watched();
  watchdog.start();
  watchdog.alive(20_000);
  vi.advanceTimersByTime(199_999);
  expect(silences).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(silences).toEqual([200_000]);
});

test('nothing is watched before it starts and after it stops', () => {
  const { watchdog, silences } = watched();
  watchdog.alive(1);
  vi.advanceTimersByTime(600_000);
  watchdog.start();
  watchdog.stop();
  watchdog.alive(1);
  vi.advanceTimersByTime(600_000);
  expect(silences).toEqual([]);
});
