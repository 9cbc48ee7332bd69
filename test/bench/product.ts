import type { Policy, ReplayStats } from '../../src/replay/policy';
import type { ReplayRequest, ReplayResult } from '../../src/replay/requests';

/** What went to the policy and came back since it was last emptied. */
export interface Recording {
  requests: ReplayRequest[];
  results: (ReplayResult | undefined)[];
  stats: ReplayStats[];
}

/** A policy that notes down what passes; the product is measured through it as it is. */
export function recorded(policy: Policy): { policy: Policy; recording: Recording } {
  const recording: Recording = { requests: [], results: [], stats: [] };
  return {
    recording,
    policy: {
      describe: (signal) => policy.describe(signal),
      tokenize: (pieces, signal) => policy.tokenize(pieces, signal),
      plan: (requests, signal) => policy.plan(requests, signal),
      dispose: () => policy.dispose(),
      async run(requests, on, signal) {
        const first = recording.requests.length;
        recording.requests.push(...requests);
        const stats = await policy.run(
          requests,
          {
            ...on,
            result(index, result) {
              recording.results[first + index] = result;
              on.result(index, result);
            },
          },
          signal,
          // Every round is measured cold.
          true,
        );
        recording.stats.push(stats);
        return stats;
      },
    },
  };
}

export function empty(recording: Recording): void {
  recording.requests = [];
  recording.results = [];
  recording.stats = [];
}
