import type { RE2JS } from 're2js';
import { compileAnswerPattern } from '../replay/answerPattern';
import { strip } from './pythonText';

/** An answer is the last thing written; the search for it is held to so many characters. */
const longest = 16_384;

let compiled: { readonly source: string; readonly pattern: RE2JS } | undefined;

/** One pattern serves all states of a file; compiling it costs more than matching. */
function patternOf(source: string): RE2JS | undefined {
  if (compiled?.source === source) return compiled.pattern;
  try {
    compiled = { source, pattern: compileAnswerPattern(source) };
    return compiled.pattern;
  } catch {
    return undefined;
  }
}

/**
 * What `answerPattern` takes out of generated text: dot matches newlines, the last match counts, its first group (else the whole match) trimmed.
 * Absent: no match, or a pattern that is no regular expression.
 */
export function extractAnswer(text: string, answerPattern: string): string | undefined {
  const matcher = patternOf(answerPattern)?.matcher(text.slice(-longest));
  if (!matcher) return undefined;
  let last: string | undefined;
  while (matcher.find()) last = (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group(0) ?? '';
  return last === undefined ? undefined : strip(last);
}
