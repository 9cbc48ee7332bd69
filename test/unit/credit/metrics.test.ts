import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grade, metrics, sharedWords } from '../../../src/credit/metrics';
import { normaliseAnswer, normaliseKeepingArticles } from '../../../src/credit/normalise';
import { splitWords, strip } from '../../../src/credit/pythonText';
import { undefinedBecause, value } from '../../../src/credit/score';
import type { MetricId } from '../../../src/credit/settings';

const ids = Object.keys(metrics) as MetricId[];
const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(fc.constantFrom('the', 'a', 'Paris', 'yes', 'NO', '.', ' ', '\u00a0', 'İ', 'Σ', '_')).map((parts) => parts.join(' ')));

describe('Python’s notion of text', () => {
  it('splits and strips at what Python calls white space', () => {
    expect(splitWords('\x1ca\x1fb\x85c\u3000d\u2028e')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(splitWords('\ufeffa\u200bb')).toEqual(['\ufeffa\u200bb']);
    expect(strip('\x85\u3000 a b \x1f')).toBe('a b');
    expect(strip('\ufeffa')).toBe('\ufeffa');
    expect(strip(' \n')).toBe('');
  });

  it('lower-cases a final sigma and a dotted I as Python does', () => {
    expect(normaliseAnswer('ΟΔΥΣΣΕΥΣ')).toBe('οδυσσευς');
    expect(normaliseAnswer('İstanbul')).toBe('i\u0307stanbul');
  });

  it('takes articles out between word boundaries of any script', () => {
    expect(normaliseAnswer('the市 the 市 éa aé á')).toBe('the市 市 éa aé ́');
    expect(normaliseAnswer('the_end of a the an')).toBe('theend of');
  });
});

describe('normalisation', () => {
  it('is idempotent where no word turns into an article by losing its punctuation', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseKeepingArticles(text);
        expect(normaliseKeepingArticles(once)).toBe(once);
      }),
    );
  });

  it('leaves no upper case, no ASCII punctuation and single spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normalised = normaliseAnswer(text);
        expect(normalised).not.toMatch(/[A-Z!-/:-@[-`{-~]|^ | $| {2}/);
      }),
    );
  });
});

describe.each(ids)('%s', (id) => {
  it('is between 0 and 1', () => {
    fc.assert(
      fc.property(anyText, anyText, (prediction, gold) => {
        const score = metrics[id].compare(prediction, gold);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is 1 for the gold itself', () => {
    fc.assert(
      fc.property(anyText, (gold) => {
        const { score } = grade(id, gold, [gold]);
        expect(score).toEqual(metrics[id].normalise(gold) === '' ? undefinedBecause('the gold answer normalises to nothing') : value(1));
      }),
    );
  });

  it('never falls when a gold is added', () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText, { minLength: 1 }), anyText, (prediction, golds, another) => {
        const before = grade(id, prediction, golds).score;
        const after = grade(id, prediction, [...golds, another]).score;
        if (before.kind === 'value') expect(after.kind === 'value' && after.value >= before.value).toBe(true);
      }),
    );
  });
});

describe('grade', () => {
  it('takes the best gold and names it', () => {
    expect(grade('f1', 'Barack Obama', ['Obama', 'Barack Obama'])).toEqual({ score: value(1), gold: 'Barack Obama' });
  });

  it('passes over a gold that normalises to nothing, which would cover everything', () => {
    expect(grade('cover-em', 'anything', ['The', 'something']).score).toEqual(value(0));
  });

  it('is undefined without a gold, or with none that is left', () => {
    expect(grade('f1', 'x', [])).toEqual({ score: undefinedBecause('no gold answer') });
    expect(grade('em', 'the', ['The', '...'])).toEqual({ score: undefinedBecause('the gold answer normalises to nothing') });
    expect(grade('f1-set', 'the', ['The']).score).toEqual(value(1));
  });

  it('gives nothing answered 0 under every metric', () => {
    for (const id of ids) expect(grade(id, undefined, ['Paris']).score).toEqual(value(0));
  });

  it('counts yes and no only as a whole', () => {
    expect(grade('f1', 'Yes, it is', ['yes']).score).toEqual(value(0));
    expect(grade('f1', 'No.', ['no']).score).toEqual(value(1));
  });
});

describe('shared words', () => {
  it('are counted as often as both have them', () => {
    expect(sharedWords('f1', 'New York, New York', 'the New York').shared).toEqual(['new', 'york']);
  });
});
