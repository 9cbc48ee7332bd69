import { strip } from './pythonText';

/** An answer is the last thing written; a pattern that backtracks without end is held to so many characters of it. */
const longest = 16_384;

/**
 * What `answerPattern` takes out of generated text: dot matches newlines, the last match counts, its first group (else the whole match) trimmed.
 * Absent: no match, or a pattern that is no regular expression.
 */
export function extractAnswer(text: string, answerPattern: string): string | undefined {
  let pattern: RegExp;
  try {
    pattern = new RegExp(answerPattern, 'gs');
  } catch {
    return undefined;
  }
  let last: RegExpMatchArray | undefined;
  for (const match of text.slice(-longest).matchAll(pattern)) last = match;
  return last && strip(last[1] ?? last[0]);
}
