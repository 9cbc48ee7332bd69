/**
 * The bare peer: what any engineer would write in an afternoon. Requests that begin alike share their beginning: a trie over token ids, each edge run
 * once from its parent's KV, each branch forked from there.
 *
 * @typedef {{ request: import('./decoder.mjs').Request, index: number, ids: number[] }} Sequence
 */
import { decode, logprob } from './decoder.mjs';

/**
 * @param {import('./decoder.mjs').Decoder} decoder
 * @param {import('./decoder.mjs').Request[]} requests
 */
export async function bareForks(decoder, requests) {
  /** @type {import('./decoder.mjs').Result[]} */
  const results = requests.map(() => ({ logprobs: [] }));
  await descend(
    requests.map((request, index) => ({ request, index, ids: idsToRun(request) })),
    0,
    decoder.empty(),
  );
  return results;

  /** @param {Sequence[]} sequences alike up to `from` @param {number} from @param {import('./decoder.mjs').Past} past */
  async function descend(sequences, from, past) {
    for (const members of groupByToken(sequences, from)) {
      const [first] = members;
      if (first === undefined) continue;
      const end = sharedEnd(members, from);
      const longer = members.filter((s) => s.ids.length > end);
      const ending = members.filter((s) => s.ids.length === end);
      const keep = longer.length > 0 || ending.some((s) => s.request.kind === 'answer');
      const edge = await decoder.run(first.ids.slice(from, end), past, keep);

      for (const { request, index } of members) {
        const its = results[index];
        if (request.kind !== 'likelihood' || its === undefined || !('logprobs' in its)) continue;
        for (const [i, k] of request.scored.entries()) {
          const position = request.context.length + k - 1;
          if (position >= from && position < end) its.logprobs[i] = logprob(edge.row(position - from), request.target[k]);
        }
      }
      for (const { request, index } of ending) {
        if (request.kind === 'answer') results[index] = { ids: await decode(decoder, edge.past, edge.row(end - from - 1), request) };
      }
      if (longer.length > 0) await descend(longer, end, edge.past);
    }
  }
}

/** A likelihood needs no token after the one before its last scored one. @param {import('./decoder.mjs').Request} request */
function idsToRun(request) {
  if (request.kind === 'answer') return request.context;
  return [...request.context, ...request.target.slice(0, request.scored.at(-1))];
}

/** @param {Sequence[]} sequences @param {number} at */
function groupByToken(sequences, at) {
  /** @type {Map<number | undefined, Sequence[]>} */
  const groups = new Map();
  for (const sequence of sequences) {
    const token = sequence.ids[at];
    const group = groups.get(token);
    if (group) group.push(sequence);
    else groups.set(token, [sequence]);
  }
  return groups.values();
}

/** How far all of `sequences` go on alike: at least one token. @param {Sequence[]} sequences @param {number} from */
function sharedEnd(sequences, from) {
  const shortest = Math.min(...sequences.map((s) => s.ids.length));
  let end = from + 1;
  while (end < shortest && sequences.every((s) => s.ids[end] === sequences[0]?.ids[end])) end++;
  return end;
}
