import type { ByteSource } from '../../../src/trajectory/records';
import type { Span, Trajectory } from '../../../src/trajectory/model';
import type { Segmented } from '../../../src/trajectory/segment';

/** A file in memory that counts what is read, and hands it out in pieces no longer than `most`. */
export function bytesSource(content: Uint8Array | string, most = Infinity): ByteSource & { read: ByteSource['read']; largest(): number } {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  let largest = 0;
  return {
    size: () => Promise.resolve(bytes.length),
    read: (start, end) => {
      const piece = bytes.slice(start, Math.min(end, start + most));
      largest = Math.max(largest, piece.length);
      return Promise.resolve(piece);
    },
    largest: () => largest,
  };
}

/** Who wrote what, in order: `P` policy, `O` observation, `F` final, `T` tail. */
export function partition(text: string, s: Segmented): string[] {
  const of = (mark: string, span: Span | undefined): string[] => (span === undefined ? [] : [`${mark} ${text.slice(span.start, span.end)}`]);
  return [...s.turns.flatMap((turn) => [...of('P', turn.policy), ...of('O', turn.observation)]), ...of('F', s.final?.policy), ...of('T', s.tail)];
}

/** Throws unless turns, final turn and tail cover the text in order, without gaps and overlaps, and every part lies within its owner. */
export function checkCover(text: string, s: Pick<Trajectory, 'turns' | 'final' | 'tail'>): void {
  let at = 0;
  const next = (span: Span | undefined): void => {
    if (span === undefined) return;
    if (span.start !== at || span.end < span.start) throw new Error(`a span starts at ${String(span.start)} and not at ${String(at)}`);
    at = span.end;
  };
  const inside = (part: Span | undefined, owner: Span | undefined): void => {
    if (part === undefined) return;
    if (owner === undefined || part.start < owner.start || part.end > owner.end || part.end < part.start) throw new Error('a part lies outside of its owner');
  };
  for (const turn of s.turns) {
    next(turn.policy);
    next(turn.observation);
    for (const part of [turn.think, ...turn.querySpans]) inside(part, turn.policy);
    inside(turn.result, turn.observation);
  }
  next(s.final?.policy);
  inside(s.final?.answerSpan, s.final?.policy);
  inside(s.final?.think, s.final?.policy);
  next(s.tail);
  if (at !== text.length) throw new Error(`the spans end at ${String(at)} of ${String(text.length)}`);
}
