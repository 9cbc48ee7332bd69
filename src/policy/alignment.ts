/** Where a normalised text came from. */
interface Alignment {
  /** The normalised text. */
  readonly text: string;
  /** UTF-16 offset in the original of the start of what holds the character at `offset` of the normalised text. */
  start(offset: number): number;
  /** UTF-16 offset in the original of the end of what holds the character before `offset`. */
  end(offset: number): number;
}

/** What composes with what: the jamo of one Hangul syllable, or a base character, each with its marks. */
const clusters = /(?:[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|[\uAC00-\uD7A3][\u11A8-\u11FF]?|\P{M})\p{M}*|\p{M}+/gu;

/**
 * Aligns `text` with its normalisation, a base character and its marks at a time. Returns `undefined` where the normalisation is not the sum of those parts,
 * so that no offset could be trusted.
 */
export function alignment(text: string, normalise: (part: string) => string): Alignment | undefined {
  const whole = normalise(text);
  if (whole === text) return { text, start: (offset) => offset, end: (offset) => offset };
  const starts: number[] = [];
  const ends: number[] = [];
  let built = '';
  let from = 0;
  for (const [part] of text.matchAll(clusters)) {
    const normalised = normalise(part);
    for (let i = 0; i < normalised.length; i++) {
      starts.push(from);
      ends.push(from + part.length);
    }
    built += normalised;
    from += part.length;
  }
  if (built !== whole) return undefined;
  return { text: whole, start: (offset) => starts[offset] ?? from, end: (offset) => (offset === 0 ? 0 : (ends[offset - 1] ?? from)) };
}
