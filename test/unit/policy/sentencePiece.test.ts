import { describe, expect, test } from 'vitest';
import { PolicyTokenizer } from '../../../src/policy/tokenizer';

const words = ['▁the', '▁answer', '▁is', '▁Par', 'is', '▁', 'a', 'n', 's', 'w', 'e', 'r', 't', 'h', 'i', 'P', '.', 'é', '▁né', ','];
const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
const added = [{ id: 0, content: '<unk>', single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }];
const decoder = { type: 'Sequence', decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }, { type: 'Fuse' }, { type: 'Strip', content: ' ', start: 1, stop: 0 }] };

/** As T5 and its like: the likeliest pieces. */
const unigram = { version: '1.0', added_tokens: added, normalizer: null, pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true }, post_processor: null, decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true }, model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', -20], ...words.map((word) => [word, -3 - 1 / word.length])], byte_fallback: false } };

/** As Llama 2 and its like: merges over ▁, other characters as bytes. */
const vocabulary = Object.fromEntries(['<unk>', ...bytes, '▁', ...'the answriPs.,', '▁t', '▁th', '▁the', 'is', '▁is'].map((token, id) => [token, id]));
const bpe = { version: '1.0', added_tokens: added, normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, { type: 'Replace', pattern: { String: ' ' }, content: '▁' }] }, pre_tokenizer: null, post_processor: null, decoder, model: { type: 'BPE', unk_token: '<unk>', fuse_unk: true, byte_fallback: true, vocab: vocabulary, merges: [['▁', 't'], ['▁t', 'h'], ['▁th', 'e'], ['i', 's'], ['▁', 'is']] } };

describe.each([['Unigram', unigram], ['BPE over ▁ with bytes', bpe]])('a tokenizer that is not byte-level (%s)', (_name, file) => {
  const tokenizer = new PolicyTokenizer(file, {});

  test.each(['the answer is Paris.', ' the is', 'is', 'the  answer', 'né is', 'the 日本 is', 'a\nthe', ''])('%j: its offsets cover the text, or there are none', (text) => {
    const encoded = tokenizer.encode(text);
    const offsets = tokenizer.offsets(text, encoded);
    if (!offsets) return expect(tokenizer.decode(encoded.ids, 'keep')).not.toBe(text);
    expect(offsets.length).toBe(encoded.ids.length);
    expect(offsets.at(-1)?.end ?? 0).toBe(text.length);
    // What tokens share, they share whole; else each begins where the last one ended.
    offsets.forEach(({ start, end }, i) => {
      const before = offsets[i - 1];
      if (before && start !== before.end) expect([start, end]).toEqual([before.start, before.end]);
    });
  });

  test('plain words have exact offsets', () => {
    const text = 'the is';
    expect(tokenizer.offsets(text, tokenizer.encode(text))).toEqual([{ start: 0, end: 3 }, { start: 3, end: 6 }]);
  });
});
