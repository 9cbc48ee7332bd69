import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordWords, rolloutKey, rolloutOf, shownRollout, transcriptAddress } from '../../../src/editor/rollout';

test('a transcript’s address gives its rollout back', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.nat(), fc.option(fc.string(), { nil: undefined }), (source, record, line) => {
      const rollout = { source, record, ...(line === undefined ? {} : { line }) };
      const { path, query } = transcriptAddress(rollout, '/a/b.jsonl');
      expect(rolloutOf(query)).toEqual(rollout);
      expect(path.split('/')).toHaveLength(3);
    }),
  );
});

test('a transcript of what was never saved has a path that a file system knows', () => {
  expect(transcriptAddress({ source: 'untitled:Untitled-1', record: 0 }, 'Untitled-1').path).toBe('/Untitled-1 · record 0.transcript');
});

test('lines of one record are told apart, in titles too', () => {
  const record = { source: 'file:///a', record: 1 };
  expect([rolloutKey(record), rolloutKey({ ...record, line: 'x' })]).toEqual(['file:///a#1', 'file:///a#1#x']);
  expect(transcriptAddress({ ...record, line: 'search/../a\n\u202eb' }, '/a').path).toBe('/a · record 1 · search .. a↵\ufffdb.transcript');
  expect([recordWords(record), recordWords({ ...record, line: 'searcher/attempt 2' })]).toEqual(['record 1', 'record 1, searcher/attempt 2']);
});

test.each([
  ['end otherwise', (n: number) => `look for the towns of the county ${'and their rivers '.repeat(20)}${n}`],
  ['begin otherwise', (n: number) => `${n} looks for the towns of the county ${'and their rivers '.repeat(20)}`],
])('long names of lines are told apart that %s, in a few words', (_, named) => {
  const lines = [1, 2].map((n) => ({ source: 'file:///a', record: 0, line: named(n) }));
  for (const title of [recordWords, (r: (typeof lines)[number]) => transcriptAddress(r, '/a').path]) {
    const titles = lines.map(title);
    expect(new Set(titles).size).toBe(2);
    expect(Math.max(...titles.map((each) => each.length))).toBeLessThan(100);
  }
});

test.each(['', 'x', '{}', '[]', 'null', '{"source":1,"record":0}', '{"source":"file:///a","record":"0"}', '{"source":"file:///a","record":0.5}', '{"record":0,"line":"x"}'])(
  'an address that is none of ours is none: %s',
  (query) => expect(rolloutOf(query)).toBeUndefined(),
);

test('what every document of ours shows, and no other one', () => {
  const rollout = { source: 'file:///w/a.jsonl', record: 3, line: 'a' };
  const query = JSON.stringify({ ...rollout, start: 1, end: 2 });
  for (const scheme of ['turnlens-transcript', 'turnlens-raw', 'turnlens-part']) expect(shownRollout({ scheme, query })).toEqual(rollout);
  for (const scheme of ['file', 'git', 'turnlens-policy']) expect(shownRollout({ scheme, query })).toBeUndefined();
});
