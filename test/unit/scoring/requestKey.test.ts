import { describe, expect, it } from 'vitest';
import type { LikelihoodRequest, ReplayRequest } from '../../../src/replay/requests';
import { keyOf } from '../../../src/scoring/requestKey';
import type { PolicyIdentity } from '../../../src/scoring/scorer';
import { defaultContract } from '../../../src/replay/contract';

const identity: PolicyIdentity = { hash: 'sha256:1', contract: defaultContract, device: 'cpu', dtype: 'float32', activations: 'fp32' };
const request: LikelihoodRequest = { kind: 'likelihood', context: [{ text: 'a' }, { text: 'b' }], target: 'c', scored: [{ start: 0, end: 1 }], want: ['logprob'] };
const key = (r: ReplayRequest, i: Partial<PolicyIdentity> = {}): string => keyOf(r, { ...identity, ...i });

describe('a request’s key', () => {
  it('is the same for an equal request, whoever made it', () => {
    expect(key({ want: ['logprob'], scored: [{ end: 1, start: 0 }], target: 'c', context: [{ text: 'a' }, { text: 'b' }], kind: 'likelihood' })).toBe(key(request));
    expect(key(request)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs with everything that decides the result', () => {
    const answer: ReplayRequest = { kind: 'answer', context: [{ text: 'a' }], stop: [], maxTokens: 4 };
    const keys = [
      key(request),
      key({ ...request, context: [{ text: 'ab' }] }),
      key({ ...request, context: [{ text: 'a' }, { stripped: 'b' }] }),
      key({ ...request, context: [{ text: 'a' }, { chat: [{ role: 'user', content: 'b' }] }] }),
      key({ ...request, context: [{ text: 'a' }, { ids: [1] }] }),
      key({ ...request, context: [{ text: 'a' }, { ids: [1, 2] }] }),
      key({ ...request, context: [{ text: 'a' }, { ids: [1], text: 'b' }] }),
      key({ ...request, target: 'd' }),
      key({ ...request, scored: [{ start: 0, end: 0 }] }),
      key({ ...request, want: ['logprob', 'rank'] }),
      key({ ...request, keepLast: 5 }),
      key(request, { hash: 'sha256:2' }),
      key(request, { device: 'cuda' }),
      key(request, { dtype: 'float16' }),
      key(request, { activations: 'exported' }),
      key(answer),
      key({ ...answer, stop: ['x'] }),
      key({ ...answer, maxTokens: 5 }),
      key({ ...answer, context: [{ text: '\ud800' }] }),
      key({ ...answer, context: [{ text: '\ufffd' }] }),
      key({ ...answer, context: [{ text: `${'long '.repeat(100)}\ud800` }] }),
      key({ ...answer, context: [{ text: `${'long '.repeat(100)}\ufffd` }] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('takes of the contract only what stands in the request', () => {
    expect(key(request, { contract: { ...defaultContract, evaluatorPrompt: '{state}' } })).toBe(key(request));
  });
});
