const longestPattern = 500;
const mostRepeats = 3;

/**
 * Why `source` cannot be an answer pattern, or `undefined` where it can. Patterns come with a policy's folder and are matched against what it wrote, so
 * what may backtrack without bound is refused: repeated groups, backreferences, lookaround, and more than three open repeats. What is left takes time
 * polynomial in the (bounded) answer.
 */
export function answerPatternProblem(source: string): string | undefined {
  if (source.length > longestPattern) return `is longer than ${String(longestPattern)} characters`;
  try {
    new RegExp(source, 's');
  } catch {
    return 'is no regular expression';
  }
  // Escapes and classes become one letter each, so that what is left is structure.
  const atoms = source.replace(/\\k<[^>]*>|\\[1-9]/g, '\u0000').replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
  if (atoms.includes('\u0000')) return 'holds a backreference';
  if (/\(\?<?[=!]/.test(atoms)) return 'holds a lookahead or lookbehind';
  if (/\)(?:[*+]|\{)/.test(atoms)) return 'repeats a group';
  if ((atoms.match(/[*+]|\{\d+,\d*\}/g) ?? []).length > mostRepeats) return `repeats more than ${String(mostRepeats)} times`;
  if (!/\((?!\?:)/.test(atoms)) return 'has no group that holds the answer';
  return undefined;
}
