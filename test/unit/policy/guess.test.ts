import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guessNext } from '../../../src/policy/guess';

test('what followed the last three tokens the last time they stood together', () => {
  expect(guessNext([1, 2, 3, 4, 5, 9, 1, 2, 3, 6, 7, 8, 1, 2, 3], [], 4)).toEqual([6, 7, 8, 1]);
  expect(guessNext([1, 2, 3, 4, 5, 1, 2], [3], 1)).toEqual([4]);
  // They may overlap with themselves.
  expect(guessNext([], [7, 7, 7, 7], 4)).toEqual([7]);
});

test.each([
  ['two tokens say too little', [1, 2, 3, 9, 2, 3], 4],
  ['nothing stands there twice', [1, 2, 3, 4], 4],
  ['fewer than three', [1, 1], 4],
  ['none is asked for', [1, 2, 3, 4, 1, 2, 3], 0],
  ['an answer that is full', [1, 2, 3, 4, 1, 2, 3], -1],
])('nothing where %s', (_why, tokens, most) => {
  expect(guessNext(tokens, [], most)).toEqual([]);
});

test('wherever the context ends and the answer begins', () => {
  const tokens = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 24 });
  fc.assert(
    fc.property(tokens, tokens, fc.integer({ min: 0, max: 4 }), (context, written, most) => {
      const path = [...context, ...written];
      const guess = guessNext(context, written, most);
      expect(guess).toEqual(guessNext(path, [], most));
      const before = path.slice(-3).join();
      const places = path.map((_, place) => place).filter((place) => place >= 3 && path.slice(place - 3, place).join() === before);
      const last = places.at(-1);
      expect(guess).toEqual(last === undefined ? [] : path.slice(last, last + most));
    }),
  );
});
