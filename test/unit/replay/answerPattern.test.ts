import { describe, expect, test } from 'vitest';
import { answerPatternProblem, compileAnswerPattern } from '../../../src/replay/answerPattern';
import { defaultContract, fill } from '../../../src/replay/contract';

describe('an answer pattern', () => {
  test.each([
    defaultContract.answerPattern,
    '<answer>\\s*(.*?)\\s*</answer>',
    'Answer: ([^\\n]*)',
    '\\\\boxed\\{([^{}]+)\\}',
    '(?<answer>.+)',
    '(?P<answer>.+)',
    '(?i)(?:final answer|answer)(?: is)?:?\\s*(.*)',
    '(a+)+$',
  ])('%s can be one', (source) => {
    expect(answerPatternProblem(source)).toBeUndefined();
  });

  test.each([
    ['(.*)\\1', 'linear time'],
    ['(?=(a+))', 'linear time'],
    ['(?<!x)(a+)', 'linear time'],
    ['(', 'no regular expression'],
    ['<answer>', 'no group'],
    ['(?:answer)', 'no group'],
    [`(${'a'.repeat(600)})`, 'longer'],
  ])('%s cannot', (source, problem) => {
    expect(answerPatternProblem(source)).toContain(problem);
  });

  test.each(['(a+)+$', '(a|a)*$', '(.*)(.*)(.*)x', '<answer>\\s*(.*?)\\s*</answer>'])('%s ends in good time on what would make it backtrack', (source) => {
    const text = `<answer>${' '.repeat(8000)}${'a'.repeat(8000)}!`;
    const started = performance.now();
    compileAnswerPattern(source).matcher(text).find();
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('fill', () => {
  test('fills each place once and reads nothing again', () => {
    expect(fill('{question} {state} {other}', { question: '{state}', state: '$& {question}' })).toBe('{state} $& {question} {other}');
  });
});
