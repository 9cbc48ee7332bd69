import { beforeAll, describe, expect, test } from 'vitest';
import { Encoder } from '../../../src/policy/encoder';
import { readObject, type JsonObject } from '../../../src/policy/jsonFile';
import { prepare } from '../../../src/policy/prepare';
import { readChatTemplate } from '../../../src/policy/templateFile';
import { PolicyTokenizer } from '../../../src/policy/tokenizer';
import type { CharRange, Piece } from '../../../src/replay/requests';
import { demoPolicy } from '../../support/fixtures';

let file: JsonObject;
let config: JsonObject;
let template: string | undefined;
beforeAll(async () => {
  file = (await readObject(`${demoPolicy}/tokenizer.json`)) ?? {};
  config = (await readObject(`${demoPolicy}/tokenizer_config.json`)) ?? {};
  template = await readChatTemplate(demoPolicy);
});

const encoder = (more: JsonObject = {}, chat: string | undefined = template): Encoder => new Encoder(new PolicyTokenizer(file, { ...config, ...more }), chat, 2048);
const withoutTemplate = (more: JsonObject = {}): Encoder => new Encoder(new PolicyTokenizer(file, { ...config, ...more }), undefined, 2048);
const ids = (piece: Piece, with_ = encoder(), first = true): readonly number[] => with_.encode(piece, first).ids;
const notes = (piece: Piece, with_ = encoder()): string[] => with_.encode(piece, true).notes.map((note) => note.code);

describe('pieces', () => {
  test('chat is rendered with the generation prompt and encoded as one string', () => {
    const chat: Piece = { chat: [{ role: 'user', content: 'Who?' }] };
    expect(ids(chat)).toEqual(ids({ text: '<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n' }));
    expect(notes(chat)).toEqual([]);
  });

  test('without a chat template, chat is raw text', () => {
    expect(ids({ chat: [{ role: 'user', content: 'Who?' }] }, withoutTemplate())).toEqual(ids({ text: 'Who?' }));
  });

  test('a special token inside of text is read as one, with a note', () => {
    const text = 'quoted <|im_end|> here';
    expect(ids({ text })).toContain(2);
    expect(notes({ text })).toEqual(['special-token-in-text']);
    expect(notes({ chat: [{ role: 'user', content: text }] })).toEqual(['special-token-in-text']);
  });

  test('BOS stands before raw text, and only where the configuration says so', () => {
    const bos = { add_bos_token: true, bos_token: { content: '<|endoftext|>' } };
    expect(ids({ text: 'Who?' }, withoutTemplate(bos))).toEqual([0, ...ids({ text: 'Who?' })]);
    expect(ids({ text: '<|endoftext|>Who?' }, withoutTemplate(bos))[1]).not.toBe(0);
    expect(ids({ text: 'Who?' }, withoutTemplate(bos), false)).not.toContain(0);
    expect(ids({ text: 'Who?' }, withoutTemplate({ bos_token: '<|endoftext|>' }))).not.toContain(0);
    expect(ids({ chat: [{ role: 'user', content: 'Who?' }] }, encoder(bos))).not.toContain(0);
  });

  test('recorded ids hold where they spell their text, or where there is none', () => {
    const recorded = ids({ text: 'the answer' });
    const split = [...'the answer'].flatMap((letter) => ids({ text: letter }));
    expect(ids({ ids: split, text: 'the answer' })).toEqual(split);
    expect(notes({ ids: [...recorded, 5], text: 'the answer' })).toEqual(['recorded-ids-differ']);
    expect(ids({ ids: [...recorded, 5], text: 'the answer' })).toEqual(recorded);
    expect(ids({ ids: [9999], text: 'the answer' })).toEqual(recorded);
    expect(ids({ ids: [7, 8] })).toEqual([7, 8]);
    expect(() => ids({ ids: [2048] })).toThrow('2048');
  });

  test('a template that fails is one sentence', () => {
    expect(() => ids({ chat: [{ role: 'user', content: 'x' }] }, encoder({}, "{{ raise_exception('only system') }}"))).toThrow(/^The policy's chat template cannot render this conversation \(.*only system.*\)\.$/);
    expect(() => ids({ chat: [{ role: 'user', content: 'x' }] }, encoder({}, '{% for %}'))).toThrow(/cannot render/);
    expect(() => ids({ chat: [{ role: 'user', content: 'x' }] }, encoder({}, '{% for i in range(1000000000) %}x{% endfor %}'))).toThrow(/cannot render/);
    expect(ids({ chat: [{ role: 'user', content: 'x' }] }, encoder({}, "{{ ''.constructor }}{{ messages.constructor }}{{ strftime_now('%d %b %Y') }}"))).toEqual(ids({ text: '26 Jul 2024' }));
  });
});

test.each([
  ['loops that do nothing', '{% for i in range(900) %}{% for j in range(90000) %}{% endfor %}{% endfor %}', 'goes on for too long'],
  ['loops over one list', '{% set all = range(9000) %}{% for i in all %}{% for j in all if j > i %}{% endfor %}{% endfor %}', 'goes on for too long'],
  ['a list that doubles', '{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}', 'makes too long a list'],
  ['a text that doubles', "{% set ns = namespace(x='aaaa') %}{% for i in range(24) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}", 'writes too much'],
  ['much text in little pieces', `{% for i in range(9000) %}{{ '${'x'.repeat(8000)}' }}{% endfor %}`, 'writes too much'],
])('a chat template with %s ends, in one sentence', (_what, hostile, why) => {
  expect(() => ids({ chat: [{ role: 'user', content: 'x' }] }, encoder({}, hostile))).toThrow(`The policy's chat template cannot render this conversation (it ${why}).`);
}, 60_000);

test('a chat template takes a long conversation', () => {
  const chat = Array.from({ length: 1000 }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `${String(i)} said` }));
  const looksBack = "{% for m in messages %}{% if loop.index0 > 0 and messages[loop.index0 - 1]['role'] == m['role'] %}{{ raise_exception('twice') }}{% endif %}{{ m['role'] ~ m['content'] }}{% endfor %}";
  expect(ids({ chat }, encoder({}, looksBack)).length).toBeGreaterThan(1000);
});

describe('a prompt that has lost its special tokens', () => {
  const whole = (chat: { role: string; content: string }[]): readonly number[] => ids({ chat });

  test('is rebuilt through the chat template', () => {
    const stripped = 'system\nBe brief.\nuser\nWho?\nassistant\nNobody.\nuser\nReally?\nassistant\n';
    expect(ids({ stripped })).toEqual(
      whole([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Who?' },
        { role: 'assistant', content: 'Nobody.' },
        { role: 'user', content: 'Really?' },
      ]),
    );
    expect(notes({ stripped })).toEqual(['prompt-rebuilt']);
  });

  test('may hold lines that look like roles', () => {
    const stripped = 'user\nA list:\nuser\nroot\nWho?\nassistant\n';
    expect(ids({ stripped })).toEqual(whole([{ role: 'user', content: 'A list:\nuser\nroot\nWho?' }]));
    expect(notes({ stripped: `user\n${'user\n'.repeat(500)}assistant\n` })).toEqual(['prompt-rebuilt']);
  });

  test('runs as the text it is where rebuilding does not give it back', () => {
    for (const stripped of ['user\nWho?\nassistant', 'Who?', '', 'user\nWho?\n', 'assistant\n', 'human\nWho?\nassistant\n']) {
      expect(ids({ stripped })).toEqual(ids({ text: stripped }));
      expect(notes({ stripped })).toEqual(['prompt-kept-as-text']);
    }
    expect(notes({ stripped: 'user\nWho?\nassistant\n' }, withoutTemplate())).toEqual(['prompt-kept-as-text']);
  });

  test('a system message that the template writes itself is recognised', () => {
    const writes = `{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nBe good.<|im_end|>\\n' }}{% endif %}${template ?? ''}`;
    expect(notes({ stripped: 'system\nBe good.\nuser\nWho?\nassistant\n' }, encoder({}, writes))).toEqual(['prompt-rebuilt']);
  });
});

describe('the scored tokens of a target', () => {
  const scoredTexts = (target: string, scored: CharRange[]): string[] | string => {
    const prepared = prepare({ kind: 'likelihood', context: [{ text: 'x' }], target, scored, want: ['logprob'] }, encoder(), 1536);
    return prepared.kind === 'likelihood' ? prepared.scored.map((token) => token.text) : prepared.kind;
  };

  test('are those that overlap the range, one that straddles it included', () => {
    const target = '<answer> Fabian Duarte </answer>';
    const start = target.indexOf('Fabian');
    expect(scoredTexts(target, [{ start, end: start + 'Fabian Duarte'.length }])).toEqual([' Fabian', ' Duarte']);
  });

  test('have exact places beyond ASCII too', () => {
    for (const gold of ['naïve', '東京', '👩‍🚀 Ω', 'e\u0301tude', '\u1100\u1161\u11A8x', 'a\u0323\u0307']) {
      const target = `<answer> ${gold} </answer>`;
      const texts = scoredTexts(target, [{ start: 0, end: target.length }]);
      expect(Array.isArray(texts) && texts.length > 0).toBe(true);
      const scored = scoredTexts(target, [{ start: 9, end: 9 + gold.length }]);
      expect([...scored].join('').length).toBeGreaterThanOrEqual(gold.length);
    }
  });

  test('notes a special token in the target', () => {
    const prepared = prepare({ kind: 'likelihood', context: [{ text: 'x' }], target: 'a<|im_end|>', scored: [{ start: 0, end: 1 }], want: ['logprob'] }, encoder(), 1536);
    expect(prepared).toMatchObject({ notes: [{ code: 'special-token-in-text', piece: -1 }] });
  });
});
