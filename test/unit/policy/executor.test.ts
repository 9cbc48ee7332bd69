import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { replay, type ReplayEngine } from '../../../src/policy/executor';
import type { KeyValues } from '../../../src/policy/keyValues';
import { prepare } from '../../../src/policy/prepare';
import type { LikelihoodRequest, Piece, ReplayRequest } from '../../../src/replay/requests';
import { useDemoPolicy } from '../../support/demoReplay';
import { sampleNames, samples, shared } from '../../support/fixtures';
import { loadHere, logprobsOf, replayHere } from '../../support/replayHere';
import { sampleRequests } from '../../support/sampleRequests';
import { fullForward, uneditedDecoder } from '../../support/unedited';

const demo = useDemoPolicy();

const likelihood = (context: readonly Piece[], target: string, more: Partial<LikelihoodRequest> = {}): LikelihoodRequest => ({ kind: 'likelihood', context, target, scored: [{ start: 0, end: target.length }], want: ['logprob'], ...more });
const answer = (context: readonly Piece[], more: { stop?: string[]; maxTokens?: number } = {}): ReplayRequest => ({ kind: 'answer', context, stop: [], maxTokens: 12, ...more });
const words = (count: number): string => Array.from({ length: count }, (_, index) => `word ${String(index % 7)}`).join(' ');

async function likelihoodInFull(request: LikelihoodRequest, by = demo.policy, decoder = demo.exported): Promise<number[]> {
  const prepared = prepare(request, by.encoder, by.contextLength);
  if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
  const rows = await fullForward(decoder, prepared.sequence.tokens, prepared.scored.map(({ row, id }) => ({ at: row, token: id })));
  return rows.map(({ logprob }) => logprob);
}

/** Greedy ids with the whole sequence run anew for each token. */
async function fullGreedy(tokens: readonly number[], count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const sequence = [...tokens, ...ids];
    const [row] = await fullForward(demo.exported, sequence, [{ at: sequence.length - 1, token: 0 }]);
    ids.push(row?.best ?? NaN);
  }
  return ids;
}

describe('replay equals one full forward per request', () => {
  test.each(sampleNames())('%s', async (name) => {
    const { whole, without } = sampleRequests(path.join(samples, name), demo.policy.info.contract);
    const { results } = await replayHere(demo.policy, [whole, ...without]);
    for (const [index, request] of [whole, ...without].entries()) {
      const full = await likelihoodInFull(request as LikelihoodRequest);
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
    const { results, order, stats } = await replayHere(demo.policy, requests);
    expect([...order].sort()).toEqual(requests.map((_, index) => index));
    expect(stats.tokensRun).toBe(stats.tokensTree);
    expect(stats.tokensTree).toBeLessThan(stats.tokensNaive);
    for (const [index, request] of requests.entries()) {
      const result = results[index];
      if (request.kind === 'likelihood') {
        const full = await likelihoodInFull(request);
        for (const [token, logprob] of logprobsOf(result).entries()) expect(Math.abs(logprob - (full[token] ?? NaN))).toBeLessThan(1e-4);
        continue;
      }
      const prepared = prepare(request, demo.policy.encoder, demo.policy.contextLength);
      if (result?.kind !== 'answer' || prepared.kind !== 'answer') throw new Error('no answer');
      expect(result.ids).toEqual(await fullGreedy(prepared.sequence.tokens, result.ids.length));
    }
    expect(results[4]).toMatchObject({ cut: expect.any(Number) as number, contextTokens: 100 });
  }, 90_000);
});

describe('answers', () => {
  const question: Piece = { chat: [{ role: 'user', content: 'Question: Who is it?' }] };

  test('end at the end token, which is not part of them', async () => {
    const { results } = await replayHere(demo.policy, [answer([question])]);
    expect(results[0]).toMatchObject({ text: '<answer> unknown </answer>', ended: 'stop' });
  });

  test('end before a stop text, at its first occurrence', async () => {
    const { results } = await replayHere(demo.policy, [answer([question], { stop: ['</ans', 'known <'] })]);
    expect(results[0]).toMatchObject({ text: '<answer> un', ended: 'stop' });
  });

  test('end at their longest', async () => {
    const { results } = await replayHere(demo.policy, [answer([question], { maxTokens: 2 })]);
    expect(results[0]).toMatchObject({ ended: 'length', ids: [expect.any(Number), expect.any(Number)] });
  });
});

describe('what an answer is guessed to go on with', () => {
  /** Text in which the policy goes round in circles, and text that leads guesses astray. */
  const contexts = ['Kelmor Brand Kelmor Brand Kelmor', words(40), '1 2 3 1 2 3 1 2', 'a b a b a c a b a', 'The Mayor of Ravbrook is the Mayor of', '<answer> unknown <answer>'];
  const asked = contexts.map((text) => answer([{ text }], { maxTokens: 48, stop: ['never said'] }));

  test('changes no answer, and saves runs', async () => {
    let [wrong, saved] = [0, 0];
    for (const request of asked) {
      const { results, stats } = await replayHere(demo.policy, [request]);
      const [result] = results;
      const prepared = prepare(request, demo.policy.encoder, demo.policy.contextLength);
      if (result?.kind !== 'answer' || prepared.kind !== 'answer') throw new Error('no answer');
      expect(result.ids).toEqual(await fullGreedy(prepared.sequence.tokens, result.ids.length));
      // One run for the context; then each has the last token, and what was guessed to follow.
      const chosen = result.ids.length + (result.ended === 'stop' ? 1 : 0);
      wrong += stats.tokensDecoded - (chosen - 1);
      saved += chosen - stats.runs;
    }
    expect(wrong).toBeGreaterThan(0);
    expect(saved).toBeGreaterThan(asked.length);
  }, 90_000);
});

describe('a request that cannot be answered leaves the others alone', () => {
  test('too long: the context, the target and the answer count', async () => {
    const { results } = await replayHere(demo.policy, [
      answer([{ text: words(1000) }]),
      answer([{ text: 'short' }], { maxTokens: 1536 }),
      likelihood([{ text: words(1000) }], 'x'),
      likelihood([{ text: words(1000) }], 'x', { keepLast: 1000 }),
      likelihood([{ text: 'short' }], 'x'),
    ]);
    expect(results.map((result) => (result.kind === 'undefined' ? result.code : result.kind))).toEqual(['too-long', 'too-long', 'too-long', 'likelihood', 'likelihood']);
    expect(results[1]).toMatchObject({ reason: expect.stringMatching(/^\d tokens of context and 1,536 for the answer do not fit into the policy's 1,536\.$/) as string });
  });

  test('far too long: said without encoding it, and the rest is answered', async () => {
    const document = 'lorem ipsum <b> '.repeat(2_000_000);
    const { results } = await replayHere(demo.policy, [
      answer([{ text: document }]),
      likelihood([{ text: 'q' }, { text: document }], 'x'),
      answer([{ text: 'short' }]),
      likelihood([{ text: 'q' }, { text: 'short' }], document, { written: [1] }),
    ]);
    expect(results.map((result) => (result.kind === 'undefined' ? result.code : result.kind))).toEqual(['too-long', 'too-long', 'answer', 'too-long']);
    expect(results[3]).toMatchObject({ reason: expect.stringMatching(/^\d tokens of context and more than 1,536 of target do not fit into the policy's 1,536\.$/) as string, written: [{ kind: 'value' }] });
    expect(results[0]).toMatchObject({ reason: "32,000,000 characters of context do not fit into the policy's 1,536 tokens." });
  });

  test('nothing to score, nothing before it, ids of another policy', async () => {
    const { results } = await replayHere(demo.policy, [
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
    const { results } = await replayHere(demo.policy, [likelihood([{ text: 'The answer is' }], ' unknown', { want: ['logprob', 'entropy', 'rank', 'distribution'] })]);
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

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const fourBit: readonly [string, string | undefined][] = [
  ['of the demo policy', shared('demo-policy', 'policy-gqa-int4')],
  ['of 135 million parameters, with an eight-bit head', shared('models', 'smollm2-135m-instruct-int4')],
];

describe.each(fourBit)('a four-bit export %s', (_name, folder = '') => {
  test.skipIf(folder === '')('is the same packed, forked and in one forward, with fp32 activations', async () => {
    const int4 = await loadHere(folder);
    const reference = await uneditedDecoder(folder);
    expect(int4.info).toMatchObject({ activations: 'fp32' });
    expect(int4.info).not.toHaveProperty('graphNotes');
    const { whole, without } = sampleRequests(path.join(samples, 'one-hop.traj'), demo.policy.info.contract);
    const requests = [whole, ...without] as LikelihoodRequest[];
    const { results } = await replayHere(int4, requests);
    for (const [index, request] of requests.entries()) {
      const full = await likelihoodInFull(request, int4, reference);
      expect(Math.abs(mean(logprobsOf(results[index])) - mean(full))).toBeLessThan(2e-3);
    }
    await int4.decoder.release();
    await reference.release();
  }, 120_000);
});

describe('on a device no cache outlives its use', () => {
  /** Each root is a trunk of two runs, with small branches that share a run, two that are run alone, and an answer at its end. */
  const roots = 4;
  const side = (root: number, at: number): Piece => ({ text: Array.from({ length: 30 }, (_, i) => `${String.fromCharCode(97 + at)}${String(root)} ${String(i)}`).join(' ') });
  const states = Array.from({ length: roots }, (_, root) => {
    const trunk: Piece = { text: `Root ${String(root)}: ${words(12)}` };
    // No two of them are decoded into one cache.
    const more = { maxTokens: 1000, stop: ['>', '. ', 'oror', ...Array.from('0123456789', (digit) => digit + digit)] };
    return [answer([trunk], more), ...[' a', ' so', ' left', ' right'].map((text) => answer([trunk, { text }], more)), ...[0, 1].map((at) => answer([trunk, side(root, at)], more))];
  }).flat();

  interface Watched {
    readonly engine: ReplayEngine;
    /** What holds the device's memory. */
    readonly alive: Set<KeyValues['tensors']>;
    /** Caches that were alive at once. */
    most: number;
    runs: number;
  }

  /** As a device's: caches are freed by hand, and cut off by nobody. */
  function watched(packs: boolean, beforeRun: (runs: number) => void = () => undefined): Watched {
    const { policy } = demo;
    const alive = new Set<KeyValues['tensors']>();
    const seen: Watched = {
      alive,
      most: 0,
      runs: 0,
      engine: {
        ...policy,
        cost: { ...policy.cost, longestRun: 32 },
        decoder: {
          packs,
          resident: true,
          start: () => policy.decoder.start(),
          prefix: (keyValues) => keyValues,
          discard: ({ tensors }) => { expect(alive.delete(tensors)).toBe(true); },
          async run(step) {
            expect(step.past.columns.length === 0 || alive.has(step.past.tensors)).toBe(true);
            beforeRun(seen.runs++);
            const ran = await policy.decoder.run(step);
            if (ran.keyValues) alive.add(ran.keyValues.tensors);
            seen.most = Math.max(seen.most, alive.size);
            return ran;
          },
        },
      },
    };
    return seen;
  }

  test.each([
    ['packed', true],
    ['forked', false],
  ])('%s, over many answers, none of which shares a cache with another', async (_what, packs) => {
    const seen = watched(packs);
    const { results, stats } = await replayHere(seen.engine, states);
    expect(results.every(({ kind }) => kind === 'answer')).toBe(true);
    expect(stats.tokensDecoded).toBeGreaterThan(states.length);
    // Of how all begin, of the root, of a branch, and the two between which a step goes.
    expect(seen.most).toBeLessThanOrEqual(5);
    expect(seen.alive.size).toBe(0);
  });

  test.each([0, 1, 2, 5, 9, 14])('nor a run that fails, or a cancel, after %i runs', async (after) => {
    const failing = watched(true, (runs) => {
      if (runs === after) throw new Error('lost the device');
    });
    await expect(replayHere(failing.engine, states)).rejects.toThrow('lost the device');
    expect(failing.alive.size).toBe(0);
    const cancelled = watched(true);
    const on = {
      result: () => undefined,
      check: () => undefined,
      ran: () => {
        if (cancelled.runs > after) throw new Error('cancelled');
      },
    };
    await expect(replay(states, cancelled.engine, on)).rejects.toThrow('cancelled');
    expect(cancelled.runs).toBe(after + 1);
    expect(cancelled.alive.size).toBe(0);
  });
});
