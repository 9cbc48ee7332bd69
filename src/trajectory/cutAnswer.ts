import type { Segmented } from './assemble';
import type { Dialect } from './dialect';

/** Where the file breaks off, only a closing tag says that an answer is whole. */
export function withoutCutAnswer(segments: Omit<Segmented, 'findings'>, dialect: Dialect): Omit<Segmented, 'findings'> {
  const { final, ...others } = segments;
  if (final === undefined) return segments;
  const isClosed = dialect.plainAnswer !== true && final.answerSpan.end < final.policy.end;
  return isClosed || segments.tail !== undefined ? segments : { ...others, tail: final.policy };
}
