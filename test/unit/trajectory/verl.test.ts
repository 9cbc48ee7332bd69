import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../../src/trajectory/model';
import { readText } from '../../../src/trajectory/read';
import type { ReadOptions } from '../../../src/trajectory/options';
import { checkCover } from './support';

const output = '<think>a</think>\n<search>q</search>\n\n<information>D</information>\n\n<think>b</think>\n<answer> A </answer>';
const input = 'system\nBe good.\nuser\nAnswer inside <answer> and </answer>.\nQuestion: Who?\nassistant\n';
const base = { input, output, gts: { target: ['g'] }, score: 1, step: 3 };

function read(row: object | string, options?: ReadOptions): Trajectory {
  const result = readText(typeof row === 'string' ? row : JSON.stringify(row), 'verl', options);
  if (result.kind === 'problem') throw new Error(result.message);
  checkCover(result.trajectory.text, result.trajectory);
  return result.trajectory;
}
const codes = (t: Trajectory): string[] => t.findings.map((finding) => finding.code);

describe('a row of a verl dump', () => {
  it('gives text, golds, reward, step and everything else', () => {
    const t = read({ ...base, acc: true, request_id: 'r' });
    expect(t).toMatchObject({
      question: 'Who?',
      answers: ['g'],
      text: output,
      prompt: { kind: 'stripped', text: input },
      final: { answer: 'A' },
      recorded: { reward: 1, step: 3, extra: { acc: true, request_id: 'r' } },
      findings: [],
    });
  });

  it('reads nothing out of the prompt as if the policy had written it', () => {
    const t = read({ ...base, input: `${input}<search>p</search>\n\n<information>P</information>`, output: 'no idea' });
    expect([t.turns.length, t.final]).toEqual([0, undefined]);
  });

  it.each([
    ['a dict with target', { target: ['a', 'b'] }, ['a', 'b'], []],
    ['a dict with ground_truth', { ground_truth: 'a' }, ['a'], []],
    ["Python's dict of a numpy array", "{'target': array(['Paris', \"O'Hara\"], dtype=object)}", ['Paris', "O'Hara"], ['gold-coerced']],
    ['an array broken over lines', "{'target': array(['a',\n       'b'], dtype='<U5')}", ['a', 'b'], ['gold-coerced']],
    ["Python's list", "['Paris']", ['Paris'], ['gold-coerced']],
    ['plain text', 'Paris', ['Paris'], []],
    ['a number', 42, ['42'], ['gold-coerced']],
  ])('golds: %s', (_, gts, answers, expected) => {
    const t = read({ ...base, gts });
    expect([t.answers, codes(t)]).toEqual([answers, expected]);
  });

  it('takes an older dump without golds', () => {
    expect(codes(read({ input, output, score: 1, step: 3 }))).toEqual(['gold-missing']);
  });

  it('takes NaN, and says so', () => {
    const t = read(JSON.stringify(base).replace('"score":1', '"score":NaN,"x":-Infinity'));
    expect([t.recorded?.reward, codes(t)]).toEqual([undefined, ['damaged']]);
    expect(read({ ...base, output: 'NaN "Infinity"' }).text).toBe('NaN "Infinity"');
  });

  it.each([
    ['breaks off', JSON.stringify(base).slice(0, 80), /breaks off in the middle/],
    ['is no JSON', '{not json}', /column 2/],
    ['is a list', '[1]', /not an object/],
    ['has no output', '{"input": "x"}', /"output"/],
    ['nests too deep', `{"output": "x", "a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /too deep/],
  ])('is a problem in one sentence where it %s', (_, line, message) => {
    expect(readText(line, 'verl')).toMatchObject({ kind: 'problem', message: expect.stringMatching(message) as string });
  });
});

describe('question', () => {
  const agentPrompt = 'Answer. Question: {question}\nBe brief.';
  it.each([
    ['by the prompt of the contract read backwards', `user\n${agentPrompt.replace('{question}', 'Is "Question: x" one?')}\nassistant\n`, 'Is "Question: x" one?', []],
    ['with a role line in it', `user\n${agentPrompt.replace('{question}', 'what does\nuser\nmean?')}\nassistant\n`, 'what does\nuser\nmean?', []],
    ['after the last label', 'user\nQuestion: no\nQuestion: yes?\nassistant\n', 'yes?', []],
    ['of the last user message', 'user\nQuestion: no\nassistant\nhm\nuser\nQuestion: yes?\nassistant\n', 'yes?', []],
    ['in ChatML', '<|im_start|>user\nQuestion: yes?<|im_end|>\n<|im_start|>assistant\n', 'yes?', []],
    ['as the whole message', 'user\nHow many?\nassistant\n<think>\n', 'How many?', ['question-guessed']],
    ['of a prompt without roles', 'How many?', 'How many?', ['question-guessed']],
  ])('%s', (_, prompt, question, expected) => {
    const t = read({ ...base, input: prompt }, { agentPrompt });
    expect([t.question, codes(t)]).toEqual([question, expected]);
  });
});

describe('group', () => {
  it('is the uid within one step, else the same prompt within one step', () => {
    expect(read({ ...base, uid: 'u' }).group).toBe('u (step 3)');
    expect(read(base).group).toBe(read({ ...base, output: 'x' }).group);
    expect(read(base).group).not.toBe(read({ ...base, step: 4 }).group);
    expect(read(base).group).not.toBe(read({ ...base, input: `${input} ` }).group);
  });
});

it('never throws, whatever is changed in a row', () => {
  const line = JSON.stringify({ ...base, gts: "{'target': array(['Paris'], dtype=object)}" });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(line.length), fc.nat(9), fc.constantFrom('"', '\\', '{', '[', "'", 'NaN', 'null', '<search>', '\ud800', '')), { minLength: 1, maxLength: 5 }), (edits) => {
      let text = line;
      for (const [at, length, insert] of edits) text = text.slice(0, at) + insert + text.slice(at + length);
      const result = readText(text, 'verl');
      if (result.kind === 'trajectory') checkCover(result.trajectory.text, result.trajectory);
    }),
    { numRuns: 2000 },
  );
});
