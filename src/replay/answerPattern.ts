const longestPattern = 500;
const mostRepeats = 2;

/**
 * Why `source` cannot be an answer pattern, or `undefined` where it can. Patterns come with a policy's folder and are matched against what it wrote, so what may
 * backtrack for long is refused: repeated groups, backreferences, lookaround, and more than two open repeats (a pattern that does not begin with a plain
 * character has one more, its search for a start). What is left takes time that grows with the square of the answer's length.
 */
export function answerPatternProblem(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${String(longestPattern)} characters`;
  try {
    new RegExp(source, 's');
  } catch {
    return 'is no regular expression';
  }
  if (/\\k<|\\[1-9]/.test(source.replaceAll('\\\\', ''))) return 'holds a backreference';
  // Escapes and classes become one letter each, so that what is left is structure.
  const structure = source.replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
  if (/\(\?<?[=!]/.test(structure)) return 'holds a lookahead or lookbehind';
  if (/\)(?:[*+]|\{)/.test(structure)) return 'repeats a group';
  const repeats = (structure.match(/[*+]|\{\d+,\d*\}/g) ?? []).length + (/^[\w<]/.test(source) ? 0 : 1);
  if (repeats > mostRepeats) return 'has more open repeats (*, +) than can be matched in good time; the answer is trimmed anyway, so it needs no \\s* around it';
  return /\((?!\?:)/.test(structure) ? undefined : 'has no group that holds the answer';
}
