import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReplayEngine } from '../../../src/policy/executor';
import { GreedyAnswer } from '../../../src/policy/greedy';
import { prepare } from '../../../src/policy/prepare';
import type { AnswerRequest, ReplayResult } from '../../../src/replay/requests';
import { useDemoPolicy } from '../../support/demoReplay';
import { shared } from '../../support/fixtures';
import { loadHere, replayHere } from '../../support/replayHere';
import { toyDecoder, type Rule } from '../../support/toyDecoder';

const demo = useDemoPolicy();

/** Ids of the demo policy's tokenizer; the last ends an answer. */
const alphabet = [300, 301, 302, 303, 1];
const endToken = 1;

/** A language of loops that break off now and then: choices, margins, what is not finite, all by the whole path. */
const language = (seed: number, finite: boolean): Rule => (tokens) => {
  const whole = tokens.reduce((hash, id) => Math.imul(hash ^ id, 0x01000193) >>> 0, seed);
  const recent = tokens.slice(-2).reduce((hash, id) => Math.imul(hash ^ id, 0x01000193) >>> 0, seed);
  const mixed = whole ^ (whole >>> 15);
  const best = alphabet[mixed % 11 === 0 ? (whole >>> 8) % 5 : (recent >>> 8) % 4] ?? NaN;
  const nothing = !finite && mixed % 41 === 0;
  return { logprob: 0, rank: 0, entropy: 0, best, bestLogprob: nothing ? NaN : -(whole % 997) / 100, margin: (whole % 89) / 10 };
};

const ids = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 30 });
const request = fc
  .record({ trunk: fc.nat(1), own: ids, maxTokens: fc.integer({ min: 1, max: 40 }), stop: fc.subarray([[300, 301], [301, 302, 303], [303, 303, 303, 303]], { maxLength: 2 }) });

/** One choice after the other, each over the path alone. */
function oneByOne(asked: AnswerRequest, rule: Rule): Partial<ReplayResult> {
  const { encoder, contextLength } = demo.policy;
  const prepared = prepare(asked, encoder, contextLength);
  if (prepared.kind !== 'answer') throw new Error(prepared.kind);
  const path = [...prepared.sequence.tokens];
  const answer = new GreedyAnswer(asked, encoder.tokenizer, new Set([endToken]));
  for (;;) {
    const taken = answer.take(rule(path));
    if (typeof taken !== 'number') return taken;
    path.push(taken);
  }
}

describe.each([
  ['packed', { packs: true, resident: false }],
  ['packed on a device', { packs: true, resident: true }],
  ['one by one', { packs: false, resident: false }],
])('answers decoded %s', (_how, how) => {
  test('are what the policy chooses one token at a time, with its figures, within its context', async () => {
    const trunks = [alphabet.slice(0, 1), [300, 301, 302, 303, 300, 301, 302, 303, 300, 301]];
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), fc.nat(), fc.boolean(), async (shapes, seed, finite) => {
        const asked = shapes.map(({ trunk, own, maxTokens, stop }): AnswerRequest => {
          // Stops that begin and end within tokens.
          const texts = stop.map((tokens) => demo.policy.encoder.tokenizer.decode(tokens, 'keep').slice(1, -1)).filter((text) => text !== '');
          return { kind: 'answer', context: [{ ids: [...(trunks[trunk] ?? []), ...own] }], stop: texts, maxTokens };
        });
        const rule = language(seed, finite);
        const contextLength = Math.max(...asked.map(({ context: [piece], maxTokens }) => (piece && 'ids' in piece ? piece.ids.length : 0) + maxTokens));
        const engine: ReplayEngine = { ...demo.policy, endTokens: new Set([endToken]), contextLength, decoder: toyDecoder({ ...how, rule, contextLength }) };
        const { results } = await replayHere(engine, asked);
        for (const [index, each] of asked.entries()) expect(results[index]).toMatchObject(oneByOne(each, rule));
      }),
      { numRuns: 80 },
    );
  });
});

const exports: readonly [string, string | undefined, number][] = [
  ['the demo policy', shared('demo-policy', 'policy'), 1e-4],
  ['GroupQueryAttention', shared('demo-policy', 'policy-gqa'), 1e-4],
  ['four bits', shared('demo-policy', 'policy-gqa-int4'), 1e-3],
];

describe.each(exports)('with %s', (_name, folder = '', tolerance) => {
  test.skipIf(folder === '')('guesses change no answer, alone or side by side', async () => {
    const policy = await loadHere(folder);
    const texts = ['Kelmor Brand Kelmor Brand Kelmor', '1 2 3 1 2 3 1 2', 'a b a b a c a b a', 'The Mayor of Ravbrook is the Mayor of', '<answer> unknown <answer>'];
    const asked = texts.flatMap((text) => [7, 24, 40].map((maxTokens): AnswerRequest => ({ kind: 'answer', context: [{ text }], stop: ['never said'], maxTokens })));
    const run = policy.decoder.run.bind(policy.decoder);
    const { start, prefix, discard } = policy.decoder;
    const forked: ReplayEngine = { ...policy, decoder: { packs: false, resident: false, run, start: start.bind(policy.decoder), prefix: prefix.bind(policy.decoder), discard: discard.bind(policy.decoder) } };
    const [guessed, plain] = [await replayHere(policy, asked), await replayHere(forked, asked)];
    for (const [index, result] of guessed.results.entries()) {
      const other = plain.results[index];
      if (result.kind !== 'answer' || other?.kind !== 'answer') throw new Error('no answer');
      expect({ ids: result.ids, text: result.text, ended: result.ended }).toEqual({ ids: other.ids, text: other.text, ended: other.ended });
      for (const [token, logprob] of result.logprobs.entries()) expect(Math.abs(logprob - (other.logprobs[token] ?? NaN))).toBeLessThan(tolerance);
      expect(Math.abs(result.margin - other.margin)).toBeLessThan(10 * tolerance);
    }
    // Alone there is room for guesses; forked there are none.
    const alone = await replayHere(policy, asked.slice(2, 3));
    const aloneForked = await replayHere(forked, asked.slice(2, 3));
    expect(alone.stats.runs).toBeLessThan(aloneForked.stats.runs);
    await policy.decoder.release();
  }, 60_000);
});
