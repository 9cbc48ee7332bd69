import type { TokenIds } from '../replay/requests';

/** So many tokens have to stand there once more before what followed them is guessed. */
const alike = 3;

/**
 * What may follow `tokens`: at most `most` tokens that followed its last three the last time they stood together, or none. Answers take over names
 * from what came back, and repeat themselves ("prompt lookup decoding", A. Saxena, 2023). Only a guess: the policy's choice decides.
 */
export function guessNext(tokens: TokenIds, most: number): TokenIds {
  if (most <= 0) return [];
  const end = tokens.length - alike;
  for (let at = end - 1; at >= 0; at--) {
    let same = 0;
    while (same < alike && tokens[at + same] === tokens[end + same]) same++;
    if (same === alike) return tokens.slice(at + alike, at + alike + most);
  }
  return [];
}
