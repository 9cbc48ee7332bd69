import { beforeEach, expect, test, vi } from 'vitest';
import { ScoreBook } from '../../../src/editor/scoreBook';
import { Surroundings } from '../../../src/editor/surroundings';
import { bar, inSight, window } from '../../support/fakeVscode';
import { scores } from './sampleScores';

vi.mock('vscode', () => import('../../support/fakeVscode'));

const rollout = { source: 'file:///a', record: 0 };
const [shows, other] = [{ document: { languageId: 'jsonc', fileName: '/a.traj', uri: 'file:///a' } }, { document: { languageId: 'plaintext', fileName: '/a.txt', uri: 'file:///b' } }];
const documents = { annotated: (document: unknown) => (document === shows.document ? { rollout, document } : undefined), dialects: () => [] };
const session = { policyName: 'demo policy', state: { kind: 'unloaded' }, onDidChangeState: () => ({ dispose: () => undefined }) };
const book = new ScoreBook();
const make = Surroundings as unknown as new (...parts: readonly unknown[]) => Surroundings;

beforeEach(() => book.set([[rollout, { scores, freshness: 'stale' }]]));

test.each([
  ['a trajectory is in front', shows, [shows], true],
  ['a page is in front, and a trajectory beside it', undefined, [other, shows], true],
  ['something else is in front, and a trajectory beside it', other, [other, shows], false],
  ['nothing is in sight', undefined, [], false],
])('the status bar where %s', (_, active, visible, isShown) => {
  Object.assign(window, { activeTextEditor: active, visibleTextEditors: visible });
  new make(documents, book, session).refresh();
  expect([bar.isShown, isShown && bar.text.endsWith('stale')]).toEqual([isShown, isShown]);
});

test('a trajectory that was read before it is in sight, as after a reload with a page in front', () => {
  Object.assign(window, { activeTextEditor: undefined, visibleTextEditors: [] });
  new make(documents, book, session).refresh();
  expect(bar.isShown).toBe(false);
  Object.assign(window, { visibleTextEditors: [shows] });
  inSight.fire();
  expect(bar.isShown).toBe(true);
});
