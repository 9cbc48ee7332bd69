import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedPolicy } from '../../../src/policy/load';
import { demoPolicy, shared } from '../../support/fixtures';
import { loadHere, logprobsOf, replayHere } from '../../support/replayHere';
import { expectedSamples, sampleRequests } from '../../support/sampleRequests';

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  for (const [index, value] of expected.entries()) expect(Math.abs((actual[index] ?? NaN) - value)).toBeLessThan(tolerance);
}

const figures = shared('demo-policy', 'expected.json');
const folders = [
  { name: 'as Optimum writes it', folder: demoPolicy, tolerance: 1e-3 },
  { name: "as onnxruntime-genai's model builder writes it", folder: shared('demo-policy', 'policy-gqa') ?? '', tolerance: 1e-3 },
];

describe.skipIf(figures === undefined)('figures computed with torch, one full forward per request', () => {
  for (const { name, folder, tolerance } of folders.filter((entry) => entry.folder !== '')) {
    describe(name, () => {
      let policy: LoadedPolicy;
      beforeAll(async () => {
        policy = await loadHere(folder);
      });
      afterAll(() => policy.decoder.release());
      for (const [sample, expected] of figures === undefined ? [] : expectedSamples(figures)) {
        test(sample, async () => {
          const { whole, without, states } = sampleRequests(path.join(shared('demo-policy', 'samples') ?? '', sample), policy.info.contract);
          const { results } = await replayHere(policy, [whole, ...without, ...states]);
          expectClose(logprobsOf(results[0]), expected.goldLogprobs, tolerance);
          for (const [index, turn] of expected.turns.entries()) expectClose(logprobsOf(results[1 + index]), turn.goldLogprobsWithout, tolerance);
          const answers = results.slice(1 + without.length);
          for (const [index, state] of expected.states.entries()) {
            const result = answers[index];
            if (result?.kind !== 'answer') throw new Error('no answer');
            expect(result.text).toBe(state.text);
            expect(result.ended).toBe('stop');
            expect(Math.abs(result.margin - state.margin)).toBeLessThan(1e-2);
          }
        });
      }
    });
  }
});
