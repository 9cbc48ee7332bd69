import { RE2JS } from 're2js';

const longestPattern = 500;

/**
 * Compiles an answer pattern: dot matches newlines. Patterns come with a policy's folder and are matched against what it wrote, so they run on an engine whose time is
 * linear in the text, whatever the pattern. It has neither lookaround nor backreferences.
 * @throws RE2JSException where `source` is no such expression
 */
export const compileAnswerPattern = (source: string): RE2JS => RE2JS.compile(source, RE2JS.DOTALL);

/** Why `source` cannot be an answer pattern, as the end of a sentence; `undefined` where it can. */
export function answerPatternProblem(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${String(longestPattern)} characters`;
  try {
    return compileAnswerPattern(source).groupCount() > 0 ? undefined : 'has no group that holds the answer';
  } catch {
    return 'is no regular expression that runs in linear time (lookaround and backreferences do not)';
  }
}
