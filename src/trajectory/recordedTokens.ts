import type { RecordedTokens, Turn, TurnTokens } from './model';

/** A stretch of tokens that one side wrote. */
interface Run {
  readonly byPolicy: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * The rollout's tokens, turn by turn: the mask says who wrote each. Nothing where it does not alternate as the turns do, since which token
 * is whose would be a guess. Whether the ids spell the turn's text is found out by whoever has the tokenizer.
 *
 * @param goesOn whether the policy wrote something after the last turn: a final turn, or a tail
 */
export function tokensByTurn({ ids, mask, logprobs }: RecordedTokens, turns: readonly Turn[], goesOn: boolean): readonly TurnTokens[] {
  if (ids === undefined || mask === undefined || ids.length !== mask.length) return [];
  const runs = runsOf(mask);
  const expected = [...turns.flatMap(({ observation }) => (observation === undefined ? [true] : [true, false])), ...(goesOn ? [true] : [])];
  // Behind the end trainers pad, with tokens that nobody is trained on.
  const padded = runs.length === expected.length + 1 && runs.at(-1)?.byPolicy === false;
  if (runs.length !== expected.length && !padded) return [];
  if (expected.some((byPolicy, i) => runs[i]?.byPolicy !== byPolicy)) return [];
  let next = 0;
  return turns.map(({ observation }): TurnTokens => {
    const policy = runs[next++];
    const answered = observation === undefined ? undefined : runs[next++];
    const sampled = logprobs?.length === ids.length ? logprobs.slice(policy?.start, policy?.end) : [];
    return {
      ...(policy === undefined ? {} : { policy: ids.slice(policy.start, policy.end) }),
      ...(answered === undefined ? {} : { observation: ids.slice(answered.start, answered.end) }),
      ...(sampled.length > 0 && sampled.every((logprob) => logprob !== null) ? { logprobs: sampled } : {}),
    };
  });
}

function runsOf(mask: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < mask.length; ) {
    const byPolicy = mask[start] !== 0;
    let end = start + 1;
    while (end < mask.length && (mask[end] !== 0) === byPolicy) end++;
    runs.push({ byPolicy, start, end });
    start = end;
  }
  return runs;
}
