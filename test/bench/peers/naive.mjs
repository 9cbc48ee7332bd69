/**
 * The naive peer: every request from nothing. One full forward for a likelihood; for an answer one full prefill, then a token at a time from its KV.
 */
import { decode, logprob } from './decoder.mjs';

/**
 * @param {import('./decoder.mjs').Decoder} decoder
 * @param {import('./decoder.mjs').Request[]} requests
 */
export async function naive(decoder, requests) {
  /** @type {import('./decoder.mjs').Result[]} */
  const results = [];
  for (const request of requests) {
    const { context } = request;
    if (request.kind === 'answer') {
      const { row, past } = await decoder.run(context, decoder.empty(), true);
      results.push({ ids: await decode(decoder, past, row(context.length - 1), request) });
      continue;
    }
    const { target, scored } = request;
    const { row } = await decoder.run([...context, ...target], decoder.empty(), false);
    results.push({ logprobs: scored.map((k) => logprob(row(context.length + k - 1), target[k])) });
  }
  return results;
}
