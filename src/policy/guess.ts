import type { TokenIds } from '../replay/requests';

/** So many tokens have to stand there once more before what followed them is guessed. */
const alike = 3;

/**
 * What may follow `written` after `context`: at most `most` tokens that followed the last three the last time they stood together, or none. Answers take
 * over names from what came back, and repeat themselves ("prompt lookup decoding", A. Saxena, 2023). Only a guess: the policy's choice decides.
 */
export function guessNext(context: TokenIds, written: TokenIds, most: number): TokenIds {
  if (most <= 0) return [];
  // Never joined: contexts are long, and many answers are written at once.
  const at = (index: number): number | undefined => (index < context.length ? context[index] : written[index - context.length]);
  const end = context.length + written.length;
  for (let next = end - 1; next >= alike; next--) {
    let same = 0;
    while (same < alike && at(next - 1 - same) === at(end - 1 - same)) same++;
    if (same === alike) return Array.from({ length: Math.min(most, end - next) }, (_, i) => at(next + i)).filter((id) => id !== undefined);
  }
  return [];
}
