import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedPolicy } from '../../../src/policy/load';
import { logSumExp } from '../../../src/policy/logits';
import { prepare } from '../../../src/policy/prepare';
import type { LikelihoodRequest, Piece, ReplayRequest } from '../../../src/replay/requests';
import { demoPolicy, sampleNames, samples, shared } from '../../support/fixtures';
import { loadHere, logprobsOf, replayHere } from '../../support/replayHere';
import { sampleRequests } from '../../support/sampleRequests';

let policy: LoadedPolicy;
beforeAll(async () => {
  policy = await loadHere(demoPolicy);
});
afterAll(() => policy.decoder.release());

const likelihood = (context: readonly Piece[], target: string, more: Partial<LikelihoodRequest> = {}): LikelihoodRequest => ({ kind: 'likelihood', context, target, scored: [{ start: 0, end: target.length }], want: ['logprob'], ...more });
const answer = (context: readonly Piece[], more: { stop?: string[]; maxTokens?: number } = {}): ReplayRequest => ({ kind: 'answer', context, stop: [], maxTokens: 12, ...more });
const words = (count: number): string => Array.from({ length: count }, (_, index) => `word ${String(index % 7)}`).join(' ');

/** Log-probabilities from one forward over the whole sequence, nothing shared and nothing cut into chunks. */
async function fullForward(request: LikelihoodRequest): Promise<number[]> {
  const prepared = prepare(request, policy.encoder, policy.contextLength);
  if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
  const { rows } = await policy.decoder.forward(prepared.sequence.tokens, policy.decoder.start(), prepared.sequence.rows, false);
  return prepared.scored.map(({ id }, index) => {
    const row = rows[index] ?? new Float32Array();
    return (row[id] ?? NaN) - logSumExp(row);
  });
}

/** Greedy ids with the whole sequence run anew for each token. */
async function fullGreedy(tokens: readonly number[], count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const sequence = [...tokens, ...ids];
    const { rows } = await policy.decoder.forward(sequence, policy.decoder.start(), [sequence.length - 1], false);
    const row = rows[0] ?? new Float32Array();
    ids.push(row.indexOf(Math.max(...row)));
  }
  return ids;
}

describe('replay equals one full forward per request', () => {
  test.each(sampleNames())('%s', async (name) => {
    const { whole, without } = sampleRequests(path.join(samples, name), policy.info.contract);
    const { results } = await replayHere(policy, [whole, ...without]);
    for (const [index, request] of [whole, ...without].entries()) {
      const full = await fullForward(request as LikelihoodRequest);
      expect(logprobsOf(results[index]).length).toBe(full.length);
      for (const [token, logprob] of logprobsOf(results[index]).entries()) expect(Math.abs(logprob - (full[token] ?? NaN))).toBeLessThan(1e-4);
    }
  });

  test('over chunks, branches of branches, equal requests and answers inside of other requests', async () => {
    const trunk: Piece = { text: words(120) };
    const requests = [
      likelihood([trunk, { text: 'left' }], ' a b c'),
      likelihood([trunk, { text: 'left' }], ' a b d'),
      likelihood([trunk, { text: 'left' }], ' a b d'),
      likelihood([{ text: 'elsewhere' }], ' a'),
      likelihood([trunk], 'left a', { keepLast: 100 }),
      answer([trunk], { maxTokens: 3 }),
      answer([trunk, { text: 'left' }], { maxTokens: 2 }),
      answer([trunk, { text: 'left' }], { maxTokens: 4 }),
    ];
    const { results, order, stats } = await replayHere(policy, requests);
    expect([...order].sort()).toEqual(requests.map((_, index) => index));
    expect(stats.tokensRun).toBe(stats.tokensTree);
    expect(stats.tokensTree).toBeLessThan(stats.tokensNaive);
    for (const [index, request] of requests.entries()) {
      const result = results[index];
      if (request.kind === 'likelihood') {
        const full = await fullForward(request);
        for (const [token, logprob] of logprobsOf(result).entries()) expect(Math.abs(logprob - (full[token] ?? NaN))).toBeLessThan(1e-4);
        continue;
      }
      const prepared = prepare(request, policy.encoder, policy.contextLength);
      if (result?.kind !== 'answer' || prepared.kind !== 'answer') throw new Error('no answer');
      expect(result.ids).toEqual(await fullGreedy(prepared.sequence.tokens, result.ids.length));
    }
    expect(results[4]).toMatchObject({ cut: expect.any(Number) as number, contextTokens: 100 });
  }, 90_000);
});

describe('answers', () => {
  const question: Piece = { chat: [{ role: 'user', content: 'Question: Who is it?' }] };

  test('end at the end token, which is not part of them', async () => {
    const { results } = await replayHere(policy, [answer([question])]);
    expect(results[0]).toMatchObject({ text: '<answer> unknown </answer>', ended: 'stop' });
  });

  test('end before a stop text, at its first occurrence', async () => {
    const { results } = await replayHere(policy, [answer([question], { stop: ['</ans', 'known <'] })]);
    expect(results[0]).toMatchObject({ text: '<answer> un', ended: 'stop' });
  });

  test('end at their longest', async () => {
    const { results } = await replayHere(policy, [answer([question], { maxTokens: 2 })]);
    expect(results[0]).toMatchObject({ ended: 'length', ids: [expect.any(Number), expect.any(Number)] });
  });
});

describe('a request that cannot be answered leaves the others alone', () => {
  test('too long: the context, the target and the answer count', async () => {
    const { results } = await replayHere(policy, [
      answer([{ text: words(1000) }]),
      answer([{ text: 'short' }], { maxTokens: 1536 }),
      likelihood([{ text: words(1000) }], 'x'),
      likelihood([{ text: words(1000) }], 'x', { keepLast: 1000 }),
      likelihood([{ text: 'short' }], 'x'),
    ]);
    expect(results.map((result) => (result.kind === 'undefined' ? result.code : result.kind))).toEqual(['too-long', 'too-long', 'too-long', 'likelihood', 'likelihood']);
    expect(results[1]).toMatchObject({ reason: expect.stringMatching(/^\d tokens of context and 1,536 for the answer do not fit into the policy's 1,536\.$/) as string });
  });

  test('nothing to score, nothing before it, ids of another policy', async () => {
    const { results } = await replayHere(policy, [
      likelihood([{ text: 'a' }], 'b', { scored: [] }),
      likelihood([], 'b'),
      likelihood([{ ids: [5000] }], 'b'),
      answer([{ ids: [-1] }]),
      answer([]),
    ]);
    expect(results.map((result) => (result.kind === 'undefined' ? result.code : result.kind))).toEqual(['nothing-scored', 'nothing-scored', 'bad-ids', 'bad-ids', 'nothing-scored']);
  });
});

describe('what is wanted of a token', () => {
  test('entropy, rank and distribution agree with each other', async () => {
    const { results } = await replayHere(policy, [likelihood([{ text: 'The answer is' }], ' unknown', { want: ['logprob', 'entropy', 'rank', 'distribution'] })]);
    const [result] = results;
    if (result?.kind !== 'likelihood') throw new Error('no likelihood');
    for (const { id, logprob, entropy, rank, distribution = new Float32Array() } of result.tokens) {
      expect(distribution[id]).toBeCloseTo(logprob, 5);
      expect(distribution.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 4);
      expect(distribution.reduce((sum, value) => sum - Math.exp(value) * value, 0)).toBeCloseTo(entropy ?? NaN, 3);
      expect(distribution.filter((value) => value > logprob + 1e-6).length).toBe(rank);
    }
  });
});

test.skipIf(shared('demo-policy', 'policy-gqa-int4') === undefined)('a four-bit export of another layout loads, runs unedited and agrees with itself', async () => {
  const int4 = await loadHere(shared('demo-policy', 'policy-gqa-int4') ?? '');
  expect(int4.info).toMatchObject({ dtype: 'int4', activations: 'exported' });
  const context: Piece[] = [{ text: words(100) }];
  const together = await replayHere(int4, [likelihood(context, ' a b'), likelihood([...context, { text: ' c' }], ' d')]);
  const alone = await replayHere(int4, [likelihood([...context, { text: ' c' }], ' d')]);
  expect(Math.abs((logprobsOf(together.results[1])[0] ?? NaN) - (logprobsOf(alone.results[0])[0] ?? NaN))).toBeLessThan(1e-4);
  await int4.decoder.release();
});
