import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cells, cut, plainJson, plainLine, plainLines, wrap } from '../../../src/cli/plainText';

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp\u2028\ud800x\r\nnext\ttab';

describe('text from files on its way to a terminal', () => {
  it('sends no control character but line ends and tabs', () => {
    expect(plainLines(hostile)).toBe('␛]0;owned␇␛[2J<U+009B>31m<U+202E>gnp<U+2028><U+D800>x\nnext\ttab');
  });

  it('is one line where a line is wanted', () => {
    expect(plainLine(' a\n b\u0007 ')).toBe('a b␇');
  });

  it('keeps the value of JSON and escapes what a terminal could obey', () => {
    const written = plainJson({ text: hostile });
    expect(JSON.parse(written)).toEqual({ text: hostile });
    expect(written).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  });

  it('never lets a control through, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !/[\u0000-\u001f\u007f-\u009f]/.test(plainLine(text))),
    );
  });
});

describe('width in cells', () => {
  it.each([
    ['abc', 3],
    ['北京', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['γ₁→', 3],
    ['', 0],
  ])('of %s', (text, width) => expect(cells(text)).toBe(width));

  it('cuts at whole characters', () => {
    expect(cut('北京大学', 5)).toBe('北京…');
    expect(cut('short', 5)).toBe('short');
  });

  it('breaks lines at spaces, and words that are wider than a line inside', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  });

  it('breaks a word of a megabyte in one pass', () => {
    expect(wrap('語'.repeat(1_000_000), 100)).toHaveLength(20_000);
  });

  it('never makes a line wider than asked, nor loses a word', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 12 }).filter((s) => !s.includes(' '))), fc.integer({ min: 4, max: 30 }), (words, width) => {
        const lines = wrap(words.join(' '), width);
        expect(lines.every((line) => cells(line) <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
      }),
    );
  });
});
