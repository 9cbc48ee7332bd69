import { describe, expect, it } from 'vitest';
import type { RecordedTokens } from '../../../src/trajectory/model';
import { tokensByTurn } from '../../../src/trajectory/recordedTokens';
import { makeTrajectory } from '../../support/makeTrajectory';

const { turns } = makeTrajectory({ turns: [{ search: 'a', result: 'A' }, { search: 'b', result: 'B' }], answer: 'C' });
const recorded = (mask: string, more: Partial<RecordedTokens> = {}): RecordedTokens => ({ ids: [...mask].map((_, i) => 10 + i), mask: [...mask].map(Number), ...more });

describe('tokens of a whole rollout', () => {
  it('are shared out by the mask', () => {
    expect(tokensByTurn(recorded('11001011', { logprobs: [-1, -2, 0, 0, -3, 0, -4, -5] }), turns, true)).toEqual([
      { policy: [10, 11], observation: [12, 13], logprobs: [-1, -2] },
      { policy: [14], observation: [15], logprobs: [-3] },
    ]);
  });

  it('stand without log-probabilities where the file has none for some of them, or too few', () => {
    expect(tokensByTurn(recorded('110010', { logprobs: [-1, null, null, null, -3, null] }), turns, false)).toEqual([
      { policy: [10, 11], observation: [12, 13] },
      { policy: [14], observation: [15], logprobs: [-3] },
    ]);
    expect(tokensByTurn(recorded('110010', { logprobs: [-1] }), turns, false).map(({ logprobs }) => logprobs)).toEqual([undefined, undefined]);
  });

  it('may be padded behind their end', () => {
    expect(tokensByTurn(recorded('1101011000'), turns, true).map(({ policy }) => policy)).toEqual([[10, 11], [13]]);
  });

  it.each([
    ['a mask that alternates otherwise than the turns', recorded('1100'), true],
    ['a mask that begins with the environment', recorded('0110101'), true],
    ['policy tokens behind the last turn where it wrote none', recorded('11001011'), false],
    ['a mask of another length', { ...recorded('11001011'), mask: [1, 0] }, true],
    ['no mask', { ids: [1, 2] }, true],
    ['no ids', { mask: [1, 0, 1, 0] }, false],
    ['nothing', {}, false],
  ] as const)('are nobody\'s with %s', (_name, tokens, goesOn) => {
    expect(tokensByTurn(tokens, turns, goesOn)).toEqual([]);
  });

  it('are nobody\'s where two turns follow each other without an observation', () => {
    const silent = turns.map(({ observation, ...turn }) => (turn.index === 1 ? turn : { ...turn, ...(observation ? { observation } : {}) }));
    expect(tokensByTurn(recorded('1110'), silent, false)).toEqual([]);
  });
});
