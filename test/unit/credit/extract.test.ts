import { describe, expect, it } from 'vitest';
import { extractAnswer } from '../../../src/credit/extract';

const tags = '<answer>(.*?)</answer>';

describe('the answer in generated text', () => {
  it('is the last match, over line breaks, trimmed', () => {
    expect(extractAnswer('<answer> a </answer>\n<answer>\n b\nc </answer>', tags)).toBe('b\nc');
  });

  it('may be empty, which is not the same as absent', () => {
    expect(extractAnswer('<answer> </answer>', tags)).toBe('');
    expect(extractAnswer('<answer> a', tags)).toBeUndefined();
  });

  it('is the whole match of a pattern without a group', () => {
    expect(extractAnswer('so: 42!', '\\d+')).toBe('42');
  });

  it('is absent for a pattern that is no regular expression', () => {
    expect(extractAnswer('(', '(')).toBeUndefined();
  });

  it('is found in the end of a text of any length', () => {
    const text = `${'<answer>'.repeat(200_000)} x </answer>`;
    const started = performance.now();
    expect(extractAnswer(text, tags)).toMatch(/x$/);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
