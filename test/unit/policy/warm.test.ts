import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayEngine } from '../../../src/policy/executor';
import type { LoadedPolicy } from '../../../src/policy/load';
import type { Wanted } from '../../../src/policy/ledger';
import { TrunkRows, WarmTrunks, type WarmTrunk } from '../../../src/policy/warm';
import { lotapo } from '../../../src/credit/lotapo';
import { nothing } from '../../../src/credit/method';
import { oases } from '../../../src/credit/oases';
import { defaultSettings } from '../../../src/credit/settings';
import type { ReplayRequest, ReplayResult } from '../../../src/replay/requests';
import { demoPolicy } from '../../support/fixtures';
import { makeTrajectory } from '../../support/makeTrajectory';
import { loadHere, replayHere } from '../../support/replayHere';

let policy: LoadedPolicy;
beforeAll(async () => {
  policy = await loadHere(demoPolicy);
});
afterAll(async () => { await policy.decoder.release(); });

const engine = (warm: WarmTrunks): ReplayEngine => ({ ...policy, warm });

/** What scoring asks of eight turns. */
function requestsOf(lastResult: string, question = 'Who wrote it?'): ReplayRequest[] {
  const turns = Array.from({ length: 8 }, (_, i) => ({ think: `Step ${i}.`, search: `query number ${i}`, result: i === 7 ? lastResult : `Document ${i} says that item ${i} is item ${i + 1}.` }));
  const t = makeTrajectory({ turns, answer: 'Ada Quill', question });
  const methods = [oases, lotapo] as const;
  return methods.flatMap((method) => [...method.asks(t, defaultSettings, policy.info.contract, nothing)].map(([, { request }]) => request));
}

/** Equal but for rounding: another cut into runs adds up in another order. */
function expectSame(results: readonly ReplayResult[], others: readonly ReplayResult[]): void {
  expect(results).toHaveLength(others.length);
  results.forEach((result, i) => {
    const other = others[i];
    if (result.kind === 'likelihood' && other?.kind === 'likelihood') {
      expect(result.tokens.map(({ id }) => id)).toEqual(other.tokens.map(({ id }) => id));
      result.tokens.forEach(({ logprob }, k) => { expect(Math.abs(logprob - (other.tokens[k]?.logprob ?? NaN))).toBeLessThan(1e-4); });
      const written = (of: typeof result): number[] => (of.written ?? []).flatMap((piece) => (piece.kind === 'value' ? piece.logprobs : []));
      expect(written(result)).toHaveLength(written(other).length);
      written(result).forEach((logprob, k) => { expect(Math.abs(logprob - (written(other)[k] ?? NaN))).toBeLessThan(1e-4); });
    } else if (result.kind === 'answer' && other?.kind === 'answer') {
      expect(result.ids).toEqual(other.ids);
      expect(Math.abs(result.margin - other.margin)).toBeLessThan(1e-3);
    } else expect(result).toEqual(other);
  });
}

describe('a call after an edit of the last turn', () => {
  it('runs less than the tree and gives the same', async () => {
    const edited = requestsOf('Nothing was found.');
    const cold = await replayHere(policy, edited);
    const warm = engine(new WarmTrunks());
    await replayHere(warm, requestsOf('The author is Ada Quill.'));
    const after = await replayHere(warm, edited);
    expectSame(after.results, cold.results);
    expect(cold.stats.tokensRun).toBe(cold.stats.tokensTree);
    expect(after.stats.tokensTree).toBe(cold.stats.tokensTree);
    // Both trunks, the whole context and the last state, begin where the edit is; every context without another turn is new from that turn on.
    expect(after.stats.tokensRun).toBeLessThan(cold.stats.tokensRun - 400);
  });

  it('of the same requests runs no token of a trunk', async () => {
    const warm = engine(new WarmTrunks());
    const first = await replayHere(warm, requestsOf('The author is Ada Quill.'));
    const second = await replayHere(warm, requestsOf('The author is Ada Quill.'));
    expectSame(second.results, first.results);
    expect(second.stats.tokensRun).toBeLessThan(first.stats.tokensRun);
    const third = await replayHere(warm, requestsOf('The author is Ada Quill.'));
    expect(third.stats.tokensRun).toBe(second.stats.tokensRun);
  });

  it('gives what was read of an earlier text to no later one that has the same tokens further on', async () => {
    const prompt = 'Question: who wrote the long book about the river of the north?\n';
    const words = (name: string): string => `The author is named in the second document of the list, and I think that ${name} is not the one who is meant.`;
    const asked = (...turns: string[]): ReplayRequest[] => {
      const pieces = turns.map((text) => ({ text }));
      const likelihood = (context: readonly { text: string }[]): ReplayRequest => ({ kind: 'likelihood', context: [{ text: prompt }, ...context], target: 'Ada Quill', scored: [{ start: 0, end: 9 }], want: ['logprob'] });
      return [{ ...likelihood(pieces), written: pieces.map((_, i) => i + 1) } as ReplayRequest, likelihood([...pieces.slice(0, -1), { text: '[DELETE]' }])];
    };
    // The cache of the first context ends before the name: what comes behind it is read in a run whose cache nothing starts from.
    const short = { ...policy, cost: { ...policy.cost, longestRun: 50 } };
    const warm = { ...short, warm: new WarmTrunks() };
    await replayHere(warm, asked(words('One')));
    await replayHere(warm, asked(words('Ada'), words('One')));
    const last = asked(words('Ada'), words('Two'));
    expectSame((await replayHere(warm, last)).results, (await replayHere(short, last)).results);
  });

  it('of another question starts anew', async () => {
    const warm = engine(new WarmTrunks());
    await replayHere(warm, requestsOf('The author is Ada Quill.', 'Where does the long river of the north end?'));
    const { stats } = await replayHere(warm, requestsOf('The author is Ada Quill.'));
    expect(stats.tokensRun).toBe(stats.tokensTree);
  });
});

describe('what stays warm', () => {
  const trunk = (tokens: readonly number[], ...rows: (readonly [depth: number, token: number, logprob: number])[]): WarmTrunk => {
    const heard = new TrunkRows();
    for (const [depth, token, logprob] of rows) heard.add({ depth, token }, { logprob, rank: 0, entropy: 0, best: 0, bestLogprob: 0, margin: 0 });
    return { tokens, tensors: {}, rows: heard };
  };

  it('are both of two trunks that begin with a third, each with its own rows', () => {
    const warm = new WarmTrunks();
    warm.keep(trunk([1, 2, 3, 4], [2, 9, -1]));
    warm.keep(trunk([1, 2, 5, 4, 7], [2, 9, -2]));
    warm.keep(trunk([1, 2], [1, 9, -3], [2, 9, -4]));
    const logprobs = (path: readonly number[]): (number | undefined)[] => [1, 2].map((depth) => warm.find(path)?.trunk.rows.find({ entry: {} as Wanted['entry'], depth, token: 9, distribution: false, slot: 0 })?.logprob);
    expect(warm.find([1, 2, 3, 4])?.shared).toBe(4);
    expect(warm.find([1, 2, 5, 4, 7])?.shared).toBe(5);
    expect(logprobs([1, 2, 5, 4, 7])).toEqual([-3, -2]);
    expect(logprobs([1, 2, 3, 4])).toEqual([undefined, -1]);
  });

  it('forgets the oldest beyond its budget, and never exceeds it', async () => {
    const { keyValues } = await policy.decoder.run({ tokens: [5, 6, 7, 8], stretches: [{ branch: { start: 0 }, from: 0, length: 4 }], past: policy.decoder.start(), asks: [], keep: true });
    const four = (...tokens: number[]): WarmTrunk => ({ ...trunk(tokens), tensors: keyValues?.tensors ?? {} });
    const size = Object.values(keyValues?.tensors ?? {}).reduce((sum, { size }) => sum + 4 * size, 0);
    const two = new WarmTrunks(2 * size);
    for (const first of [1, 2, 3]) two.keep(four(first, 6, 7, 8));
    expect(two.find([1, 6, 7, 8])).toBeUndefined();
    expect(two.find([2, 6, 7, 9])?.shared).toBe(3);
    expect(two.find([3, 6, 7, 8, 9])?.shared).toBe(4);
    const none = new WarmTrunks(size - 1);
    none.keep(four(1, 6, 7, 8));
    expect(none.find([1, 6, 7, 8])).toBeUndefined();
  });
});
