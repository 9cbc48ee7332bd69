import { describe, expect, test } from 'vitest';
import { answerPatternProblem } from '../../../src/replay/answerPattern';
import { defaultContract, fill } from '../../../src/replay/contract';

describe('an answer pattern', () => {
  test.each([defaultContract.answerPattern, '<answer>\\s*(.*?)</answer>', 'Answer: ([^\\n]*)', '\\\\boxed\\{([^{}]+)\\}', '(?<answer>.+)', '[(](a)[)*]'])('%s can be one', (source) => {
    expect(answerPatternProblem(source)).toBeUndefined();
  });

  test.each([
    ['(a+)+$', 'repeats a group'],
    ['(a|a)*b(c)', 'repeats a group'],
    ['(a){2,}', 'repeats a group'],
    ['(.*)\\1', 'backreference'],
    ['(?=(a+))', 'lookahead'],
    ['<answer>\\s*(.*?)\\s*</answer>', 'needs no \\s*'],
    ['.*(.*)x', 'open repeats'],
    ['a(?:b|c)d(.*)\\\\\\1', 'backreference'],
    ['<answer>', 'no group'],
    ['(?:answer)', 'no group'],
    ['(', 'no regular expression'],
    [`(${'a'.repeat(600)})`, 'longer'],
  ])('%s cannot', (source, problem) => {
    expect(answerPatternProblem(source)).toContain(problem);
  });

  test('the worst that is let through ends in good time', () => {
    const started = performance.now();
    for (const source of ['(.*)x', '<answer>\\s*(.*?)</answer>']) new RegExp(source, 's').exec(`<answer>${' '.repeat(8000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('fill', () => {
  test('fills each place once and reads nothing again', () => {
    expect(fill('{question} {state} {other}', { question: '{state}', state: '$& {question}' })).toBe('{state} $& {question} {other}');
  });
});
