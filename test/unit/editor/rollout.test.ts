import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rolloutOf, transcriptAddress } from '../../../src/editor/rollout';

test('a transcript’s address gives its rollout back', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.nat(), (source, record) => {
      expect(rolloutOf(transcriptAddress({ source, record }, '/a/b.jsonl').query)).toEqual({ source, record });
    }),
  );
});

test.each(['', 'x', '{}', '[]', 'null', '{"source":1,"record":0}', '{"source":"file:///a","record":"0"}', '{"source":"file:///a","record":0.5}'])(
  'an address that is none of ours is none: %s',
  (query) => expect(rolloutOf(query)).toBeUndefined(),
);
