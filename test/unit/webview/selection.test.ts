import { expect, it } from 'vitest';
import { snapshotOf } from '../../../src/panel/snapshot';
import { selectedIn } from '../../../webview/selection';
import { makeTrajectory } from '../../support/makeTrajectory';

function shown(document: string, turns: number, selected?: number) {
  const trajectory = makeTrajectory({ turns: Array.from({ length: turns }, () => ({ search: 'q' })), answer: 'a' });
  const snapshot = snapshotOf({ document, title: 't', trajectory, stale: false, ...(selected === undefined ? {} : { selected }) });
  if (snapshot.kind !== 'trajectory') throw new Error('no trajectory');
  return snapshot;
}

it('is the turn under the cursor, else the one kept of the same document', () => {
  const kept = { document: 'a', selected: 3 };
  expect(selectedIn(shown('a', 4, 2), kept)).toBe(2);
  expect(selectedIn(shown('a', 4), kept)).toBe(3);
  expect(selectedIn(shown('a', 4), undefined)).toBeUndefined();
});

it('is none where another document is shown, or the turn is gone', () => {
  const kept = { document: 'a', selected: 3 };
  expect(selectedIn(shown('b', 4), kept)).toBeUndefined();
  expect(selectedIn(shown('b', 1), kept)).toBeUndefined();
  expect(selectedIn(shown('a', 2), kept)).toBeUndefined();
});
