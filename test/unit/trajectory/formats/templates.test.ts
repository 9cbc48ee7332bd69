import { describe, expect, it } from 'vitest';
import { codes, gist, one } from './support';

/** A chat template: around the system's message, around another's, and where the policy begins and ends. */
interface Template {
  readonly system?: (text: string) => string;
  readonly other: (text: string) => string;
  readonly begin: string;
  readonly stop: string;
}

const templates: Readonly<Record<string, Template>> = {
  ChatML: { system: (text) => `<|im_start|>system\n${text}<|im_end|>\n`, other: (text) => `<|im_start|>user\n${text}<|im_end|>\n`, begin: '<|im_start|>assistant\n', stop: '<|im_end|>\n' },
  'Phi-4': { other: (text) => `<|im_start|>user<|im_sep|>${text}<|im_end|>`, begin: '<|im_start|>assistant<|im_sep|>', stop: '<|im_end|>' },
  'Llama 3': {
    system: (text) => `<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n${text}<|eot_id|>`,
    other: (text) => `<|start_header_id|>user<|end_header_id|>\n\n${text}<|eot_id|>`,
    begin: '<|start_header_id|>assistant<|end_header_id|>\n\n',
    stop: '<|eot_id|>',
  },
  Gemma: { other: (text) => `<start_of_turn>user\n${text}<end_of_turn>\n`, begin: '<start_of_turn>model\n', stop: '<end_of_turn>\n' },
  Kimi: {
    system: (text) => `<|im_system|>system<|im_middle|>${text}<|im_end|>`,
    other: (text) => `<|im_user|>user<|im_middle|>${text}<|im_end|>`,
    begin: '<|im_assistant|>assistant<|im_middle|>',
    stop: '<|im_end|>',
  },
  DeepSeek: { system: (text) => `<｜begin▁of▁sentence｜>${text}`, other: (text) => `<｜User｜>${text}`, begin: '<｜Assistant｜>', stop: '<｜end▁of▁sentence｜>' },
  'Phi-3': { system: (text) => `<|system|>\n${text}<|end|>\n`, other: (text) => `<|user|>\n${text}<|end|>\n`, begin: '<|assistant|>\n', stop: '<|end|>\n' },
  GLM: { system: (text) => `[gMASK]<sop><|system|>\n${text}`, other: (text) => `<|user|>\n${text}`, begin: '<|assistant|>\n', stop: '' },
  Mistral: { other: (text) => `[INST] ${text}[/INST]`, begin: ' ', stop: '</s>' },
  'Llama 2': { other: (text) => `<s>[INST] ${text} [/INST] `, begin: '', stop: ' </s>' },
};

const asked = 'Put a query in <search> and </search>; documents are in <information> and </information>. Question: Where?';
const said = ['<think>a</think>\n<search>first</search>', '<think>b</think>\n<search>second</search>', '<think>c</think>\n<answer>Paris</answer>'];
const facts = { question: 'Where?', answers: ['Paris'], queries: [['first'], ['second']], results: ['Doc 1', 'Doc 2'], answer: 'Paris' };

describe.each(Object.entries(templates))('a chat as the template of %s writes it', (_, { system, other, begin, stop }) => {
  const prompt = `${system?.('Be brief.') ?? ''}${other(asked)}${begin}`;
  const heard = (n: number): string => `${stop}${other(`<information>Doc ${String(n)}</information>`)}${begin}`;
  const response = `${String(said[0])}${heard(1)}${String(said[1])}${heard(2)}${String(said[2])}${stop}`;

  it('is told by its markers, after a prompt of its own', async () => {
    const t = await one({ prompt, response, golden_answers: ['Paris'] }, 'tagged-text');
    expect(gist(t)).toEqual(facts);
    expect(codes(t)).toEqual([]);
    expect(t.text).toBe(response);
  });

  it('is told by its markers, with the prompt before it', async () => {
    const t = await one({ text: prompt + response, golden_answers: ['Paris'] }, 'tagged-text');
    expect(gist(t)).toEqual(facts);
    expect(codes(t)).toEqual([]);
  });

  it('is told by its markers, as plain text', async () => {
    expect(gist(await one(prompt + response, 'chat-text'))).toEqual({ ...facts, answers: [] });
  });
});

it.each([
  '<|user|>',
  '<|user|> and <|assistant|>',
  '<|observation|>\nx<|assistant|>\ny',
  '<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\n',
  '<|start_header_id|>user<|end_header_id|>',
  '<|end|>\n<|user|>\nx<|assistant|>\n',
  '</s>[INST] x [/INST]',
  '[INST] x [/INST]',
  '<end_of_turn>\n<start_of_turn>user',
  '<start_of_turn>user',
  '<｜end▁of▁sentence｜><｜User｜>',
  '<｜User｜>',
])('a document that quotes %s is no chat', async (quoted) => {
  const response = `<think>a</think>\n<search>first</search>\n\n<information>Doc ${quoted} 1</information>\n\n<answer>Paris</answer>`;
  const t = await one({ prompt: `<|im_start|>user\n${asked}<|im_end|>\n<|im_start|>assistant\n`, response, golden_answers: ['Paris'] }, 'tagged-text');
  expect(gist(t)).toEqual({ ...facts, queries: [['first']], results: [`Doc ${quoted} 1`] });
  expect(codes(t)).toEqual([]);
});

it('blank space after a search belongs to its action', async () => {
  const chat = (space: string): string => `<search>first</search>${space}<|im_end|>\n<|im_start|>user\n<information>Doc 1</information><|im_end|>\n<|im_start|>assistant\n<answer>Paris</answer>`;
  for (const space of ['', ' ', '\n', ' \n\n']) {
    const t = await one({ prompt: 'Question: Where?', response: chat(space), golden_answers: ['Paris'] }, 'tagged-text');
    expect(gist(t)).toEqual({ ...facts, queries: [['first']], results: ['Doc 1'] });
    expect(codes(t)).toEqual([]);
  }
});

describe('a dump that has dropped the special tokens', () => {
  it.each([
    ['Qwen', `system\nBe brief.\nuser\n${asked}\nassistant\n`, (heard: string) => `\nuser\n${heard}\nassistant\n`],
    ['Gemma', `user\n${asked}\nmodel\n`, (heard: string) => `\nuser\n${heard}\nmodel\n`],
    ['Llama 3', `system\n\nBe brief.user\n\n${asked}assistant\n\n`, (heard: string) => `user\n\n${heard}assistant\n\n`],
  ])('%s: has its question, and roles around what came back', async (_, input, around) => {
    const output = `${String(said[0])}${around('<information>Doc 1</information>')}${String(said[1])}${around('<information>Doc 2</information>')}${String(said[2])}`;
    const t = await one({ input, output, gts: ['Paris'], score: 1 }, 'verl');
    expect(gist(t)).toEqual(facts);
    expect(codes(t)).toEqual(['special-tokens-stripped']);
    expect(t.prompt).toEqual({ kind: 'stripped', text: input });
  });

  it('is not told by a document that ends a line in a role', async () => {
    const response = '<search>first</search>\n\n<information>Doc 1\nuser\nassistant\n</information>\n\n<answer>Paris</answer>';
    const t = await one({ input: 'user\nQuestion: Where?\nassistant\n', output: response, gts: ['Paris'] }, 'verl');
    expect(gist(t)).toEqual({ ...facts, queries: [['first']], results: ['Doc 1\nuser\nassistant'] });
    expect(codes(t)).toEqual([]);
  });
});
