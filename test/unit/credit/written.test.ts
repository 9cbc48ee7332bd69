import { describe, expect, it } from 'vitest';
import { lotapo } from '../../../src/credit/lotapo';
import { nothing } from '../../../src/credit/method';
import { defaultSettings } from '../../../src/credit/settings';
import { assignWritten } from '../../../src/credit/written';
import { defaultContract } from '../../../src/replay/contract';
import type { EncodingNote, LikelihoodResult, WrittenPiece } from '../../../src/replay/requests';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

const piece = (...logprobs: number[]): WrittenPiece => ({ kind: 'value', logprobs, entropies: logprobs.map(() => 0.5), ranks: logprobs.map((_, i) => i) });
const full = (written: readonly WrittenPiece[], notes: readonly EncodingNote[] = []): LikelihoodResult => ({
  kind: 'likelihood',
  tokens: [{ id: 1, text: 'a', logprob: -1 }],
  written,
  contextTokens: 9,
  cut: 0,
  notes,
});

describe('what the policy thought of its own words', () => {
  it('is asked of the whole context alone, for the policy’s pieces', () => {
    const asked = [...lotapo.asks(twoTurns(), defaultSettings, defaultContract, nothing)].map(([name, { request }]) => [name, request.kind === 'likelihood' ? request.written : null]);
    expect(asked).toEqual([
      ['full/0', [1, 3]],
      ['without/1/0', undefined],
      ['without/2/0', undefined],
    ]);
  });

  it('mean, least, entropy and share of first choices', () => {
    const [first, second] = assignWritten(twoTurns(), full([piece(-1, -2, -6), { kind: 'undefined', reason: 'cut' }]));
    expect(first).toEqual({ kind: 'value', tokens: 3, mean: -3, min: -6, entropy: 0.5, firstChoices: 1 / 3 });
    expect(second).toEqual({ kind: 'undefined', reason: 'cut' });
  });

  it('without an answer there is none, and without the context the reason for that', () => {
    expect(assignWritten(twoTurns(), undefined)).toEqual([{ kind: 'not scored' }, { kind: 'not scored' }]);
    const [turn] = assignWritten(twoTurns(), { kind: 'undefined', code: 'too-long', reason: 'It does not fit.' });
    expect(turn).toEqual({ kind: 'undefined', reason: 'It does not fit' });
  });

  describe('beside recorded log-probabilities', () => {
    const withTokens = (ids: { policy?: number[]; logprobs?: number[] }) => makeTrajectory({ turns: [{ search: 'a', result: 'b', ids }] });
    const recorded = (ids: { policy?: number[]; logprobs?: number[] }, notes: EncodingNote[] = []) => {
      const [turn] = assignWritten(withTokens(ids), full([piece(-1, -2)], notes));
      return turn?.kind === 'value' ? turn.recorded : undefined;
    };

    it('the ratio a token', () => {
      expect(recorded({ policy: [4, 5], logprobs: [-1, -4] })).toEqual({ kind: 'value', mean: -2.5, ratio: Math.exp(1) });
      expect(recorded({ policy: [4, 5] })).toBeUndefined();
    });

    it('only where they belong to the same tokens', () => {
      expect(recorded({ logprobs: [-1, -4] })).toMatchObject({ kind: 'undefined', reason: 'the file records log-probabilities without the token ids they belong to' });
      expect(recorded({ policy: [4, 5], logprobs: [-1] })).toMatchObject({ kind: 'undefined', reason: 'the file records 1 log-probabilities for 2 tokens' });
      const note: EncodingNote = { code: 'recorded-ids-differ', piece: 1, message: '' };
      expect(recorded({ policy: [4, 5], logprobs: [-1, -4] }, [note])).toMatchObject({ kind: 'undefined', reason: "the recorded token ids are not this policy's" });
    });
  });
});
