import { replay, type ReplayEngine } from '../../src/policy/executor';
import { loadPolicy, type LoadedPolicy } from '../../src/policy/load';
import type { ReplayStats } from '../../src/replay/policy';
import type { ReplayRequest, ReplayResult } from '../../src/replay/requests';

/** A policy in the test's own process: what is tested is the replay, not the way to it. */
export const loadHere = (folder: string): Promise<LoadedPolicy> => loadPolicy({ folder }, { state: () => undefined, alive: () => undefined });

/** Results by request, in the order that they came in, and what they cost. */
export async function replayHere(policy: ReplayEngine, requests: readonly ReplayRequest[]): Promise<{ results: ReplayResult[]; order: number[]; stats: ReplayStats }> {
  const results: ReplayResult[] = [];
  const order: number[] = [];
  const result = (index: number, found: ReplayResult): void => {
    results[index] = found;
    order.push(index);
  };
  const stats = await replay(requests, policy, { result, check: () => undefined, ran: () => undefined });
  return { results, order, stats };
}

export const logprobsOf = (result: ReplayResult | undefined): readonly number[] => (result?.kind === 'likelihood' ? result.tokens.map((token) => token.logprob) : []);
