import type { Policy } from '../../src/replay/policy';
import type { CharRange, Piece, ReplayRequest, TokenIds } from '../../src/replay/requests';

/** What the peers are given: the product's requests as token ids, so that they need no tokenizer and run the same tokens. */
export type TokenRequest =
  | { readonly kind: 'likelihood'; readonly context: TokenIds; readonly target: TokenIds; readonly scored: readonly number[] }
  | { readonly kind: 'answer'; readonly context: TokenIds; readonly stop: TokenIds; readonly maxTokens: number };

/** @param endToken the tokenizer's own, which always stops an answer */
export async function tokenRequests(policy: Policy, requests: readonly ReplayRequest[], endToken: string | undefined): Promise<TokenRequest[]> {
  const encode = async (pieces: readonly Piece[]): Promise<number[]> => (await policy.tokenize(pieces)).flatMap(({ ids }) => ids);
  const stopIds = async (stops: readonly string[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const stop of stops) {
      const encoded = await encode([{ text: stop }]);
      if (encoded.length !== 1) throw new Error(`The stop "${stop}" is no single token: the peers cannot stop at it.`);
      ids.push(...encoded);
    }
    return ids;
  };
  const out: TokenRequest[] = [];
  for (const request of requests) {
    const context = await encode(request.context);
    if (request.kind === 'answer') {
      const stop = await stopIds([...request.stop, ...(endToken === undefined ? [] : [endToken])]);
      out.push({ kind: 'answer', context, stop, maxTokens: request.maxTokens });
      continue;
    }
    const [target] = await policy.tokenize([{ text: request.target }]);
    if (target?.offsets === undefined) throw new Error('The policy gave no offsets for a target.');
    const { ids, offsets } = target;
    const overlaps = (token: CharRange): boolean => request.scored.some(({ start, end }) => token.end > start && token.start < end);
    out.push({ kind: 'likelihood', context, target: ids, scored: ids.flatMap((_, k) => (overlaps(offsets[k] ?? { start: 0, end: 0 }) ? [k] : [])) });
  }
  return out;
}
