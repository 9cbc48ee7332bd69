import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LikelihoodRequest, ReplayRequest } from '../../../src/replay/requests';
import { keyOf } from '../../../src/scoring/requestKey';
import type { PolicyIdentity } from '../../../src/scoring/scorer';
import { Digests } from '../../../src/scoring/textDigest';
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

  it('is the same whichever texts were hashed before it', () => {
    const texts = fc.array(fc.constantFrom('a', 'b'.repeat(70_000), 'c'.repeat(65_535), '\ud800'), { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 6 }), (all) => {
        const digests = new Digests();
        const chat = (content: string): ReplayRequest => ({ ...request, context: [{ chat: [{ role: 'user', content }] }, { text: content }, { ids: [1], text: content }, { stripped: content }] });
        const keys = all.map((text) => keyOf(chat(text), identity, digests));
        expect(keys).toEqual(all.map((text) => key(chat(text))));
        expect(new Set(keys).size).toBe(new Set(all).size);
      }),
      { numRuns: 60 },
    );
  });

  it('differs with ids of any number, and is that of equal ids in another list', () => {
    const ids = Array.from({ length: 1000 }, (_, i) => i);
    const of = (list: readonly number[]): string => key({ ...request, context: [{ ids: list }] });
    expect(of([...ids])).toBe(of(ids));
    expect(of(ids.with(500, 7))).not.toBe(of(ids));
  });

  it('takes of the contract only what stands in the request', () => {
    expect(key(request, { contract: { ...defaultContract, evaluatorPrompt: '{state}' } })).toBe(key(request));
  });
});
