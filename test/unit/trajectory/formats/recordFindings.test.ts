import { describe, expect, it } from 'vitest';
import { codes, one } from './support';

const text = '<think>t</think>\n<search>q</search>\n\n<information>D</information>\n\n<think>t</think>\n<answer>Paris</answer>';
const row = (more: object): object => ({ input: 'user\nQuestion: where?\nassistant\n', output: text, gts: { target: ['Paris'] }, score: 1, step: 1, ...more });

describe('an example in the prompt', () => {
  const prompt = (example: string): string => `user\nAnswer like <answer> ${example} </answer>, search like <search> this </search>. Question: where?\nassistant\n`;

  it('says nothing where the rollout has its own', async () => {
    expect(codes(await one(row({ input: prompt('Beijing') }), 'verl'))).toEqual([]);
  });

  it.each([
    ['has no answer', { output: text.replace('</answer>', '') }, ['answer-in-prompt']],
    ['is a gold', { input: prompt(' paris ') }, ['answer-in-prompt']],
    ['has no search', { input: 'user\nSearch like <search> this </search>. Question: where?\nassistant\n', output: '<answer>Paris</answer>' }, ['tags-in-prompt']],
  ])('is told where the rollout or it %s', async (_, more, expected) => {
    expect(codes(await one(row({ input: prompt('Beijing'), ...more }), 'verl'))).toEqual(expect.arrayContaining(expected));
  });
});

describe('golds that are numbers', () => {
  it.each([
    ['1.0', ['1.0']],
    ['[1.50, "x", 2e3]', ['1.50', 'x', '2e3']],
    ['{"target": [1990]}', ['1990']],
    ['{"style": 7, "target": 0.10}', ['0.10']],
  ])('%s are compared as the file writes them', async (gold, answers) => {
    const line = JSON.stringify({ ...row({}), gts: 'HERE', score: 1 }).replace('"HERE"', gold).replace('"step":1', '"step":1.00');
    expect((await one(`${line}\n`, 'verl')).answers).toEqual(answers);
  });

  it('of a nested rule too', async () => {
    const line = JSON.stringify({ prompt: 'Question: where?', response: text, reward_model: { style: 'rule', ground_truth: 'HERE' } }).replace('"HERE"', '3.0');
    expect((await one(`${line}\n`, 'tagged-text')).answers).toEqual(['3.0']);
  });

  const events = [{ source: 'user', action: 'message', args: { content: 'Q?' } }, { source: 'agent', action: 'finish', args: { message: 'A' } }];
  const run = { trajectory: [{ action: 'ls', observation: 'a', response: 'ls', thought: '' }], history: [], info: {} };
  it.each([
    ['ground_truth', { history: events, test_result: { ground_truth: 'HERE' } }, 'openhands'],
    ['gold_answer', { history: events, test_result: { gold_answer: 'HERE' }, instance: { 'Final answer': 'no' } }, 'openhands'],
    ['Final answer', { history: events, instance: { 'Final answer': 'HERE' } }, 'openhands'],
    ['answer', { history: events, instance: { answer: 'HERE' } }, 'openhands'],
    ['flag', { ...run, flag: 'HERE' }, 'swe-agent'],
    ['answer', { gen_text_store: 'x', question: 'Q?', answer: 'HERE' }, 'r1-searcher'],
  ])('are told by their own key, %s of %o', async (key, record, format) => {
    const t = await one(`${JSON.stringify(record).replace('"HERE"', '3.0')}\n`, format);
    expect([t.answers, t.findings.find(({ code }) => code === 'gold-coerced')?.message]).toEqual([['3.0'], `"${key}" holds a number; it is read as "3.0".`]);
  });
});

describe('what a trainer recorded', () => {
  it.each([
    ['in a trainer’s samples', { prompt: 'Question: where?', response: text, label: 'Paris', reward: [0, 0, 1, 0], response_length: 4, loss_mask: [1, 1, 0, 1] }, 'slime'],
    ['in a native file', { question: 'where?', answers: ['Paris'], turns: [{ search: 'q', result: 'D' }, { answer: 'Paris' }], recorded: { tokens: { mask: [1, 1, 0, 1], rewards: [0, 0, 1, 0] } } }, 'native'],
  ])('a reward on a masked token %s is told, with the token', async (_, record, format) => {
    const { findings } = await one(record, format);
    expect(findings.find(({ code }) => code === 'reward-on-masked-token')?.message).toMatch(/token 2 has a reward \(1\) and is masked/);
  });

  it('dropped special tokens around tool responses are told', async () => {
    const output = '<tool_call>\n{"name": "s", "arguments": {"query": "q"}}\n</tool_call>\nuser\n<tool_response>\nD\n</tool_response>\nassistant\n<answer>Paris</answer>';
    expect(codes(await one(row({ output }), 'verl'))).toContain('special-tokens-stripped');
    const marked = output.replace('\nuser\n', '<|im_end|>\n<|im_start|>user\n').replace('\nassistant\n', '<|im_end|>\n<|im_start|>assistant\n');
    expect(codes(await one(row({ output: marked }), 'verl'))).not.toContain('special-tokens-stripped');
  });
});
