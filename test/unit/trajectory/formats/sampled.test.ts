import { describe, expect, it } from 'vitest';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import type { TrajectoryFile } from '../../../../src/trajectory/file';
import type { Trajectory } from '../../../../src/trajectory/model';
import type { ByteSource } from '../../../../src/trajectory/records';
import { bytesSource } from '../support';

const searched = (query: string, answer: string): string =>
  `<think>I look.</think><search>${query}</search>\n\n<information>Doc 1 of ${query}</information>\n\n<answer>${answer}</answer>`;
const [one, two, atOnce] = [searched('author', 'Ada'), searched('printer', 'Bob'), '<answer>Ada</answer>'];
const jsonl = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const open = (text: string): Promise<TrajectoryFile> => openTrajectoryFile(bytesSource(text), 'x.jsonl');

async function rolloutsOf(file: TrajectoryFile): Promise<readonly Trajectory[]> {
  const results = await Promise.all(file.records.map(({ record }) => file.read(record)));
  return results.map((result) => {
    if (result.kind === 'problem') throw new Error(result.message);
    return result.trajectory;
  });
}

const chat = (answer: string, ...before: readonly object[]): readonly object[] => [
  ...before,
  { role: 'assistant', content: '<think>x</think><search>author</search>' },
  { role: 'user', content: '<information>Doc 1</information>' },
  { role: 'assistant', content: `<answer>${answer}</answer>` },
];
const asked = { role: 'user', content: 'Question: Who wrote it?' };

describe('a row that holds several rollouts of one question', () => {
  it.each<[string, object]>([
    ['responses of verl', { prompt: [asked], responses: [one, two, atOnce], entropy: [0.1, 0.2, 0.3], reward_model: { ground_truth: { target: ['Ada'] } } }],
    ['outputs of vLLM', { prompt: 'Question: Who wrote it?', answer: 'Ada', outputs: [one, two, atOnce].map((text, index) => ({ index, text, token_ids: [index] })) }],
    ['samples as objects, one that failed among them', { question: 'Who wrote it?', answer: 'Ada', samples: [one, two, atOnce].map((text) => ({ text, fr: 'stop', answer: 'a guess' })) }],
    ['texts beside a copy of the first', { question: 'Who wrote it?', answer: 'Ada', response: one, generations: [one, two, atOnce] }],
    ['resps of lm-eval', { doc: { question: 'Who wrote it?' }, target: 'Ada', arguments: { gen_args_0: { arg_0: 'Question: Who wrote it?' } }, resps: [[one, two, atOnce]] }],
    ['messages that go on from the prompt', { prompt: [asked], answer: 'Ada', completions: [chat('Ada'), chat('Bob'), [{ role: 'assistant', content: atOnce }]] }],
    ['objects with messages', { question: 'Who wrote it?', ground_truth: 'Ada', rollouts: [chat('Ada', asked), chat('Bob', asked), chat('Ada', asked)].map((messages) => ({ messages, uid: messages.length })) }],
  ])('gives each as a record of the same question: %s', async (_, row) => {
    const file = await open(jsonl(row, row));
    expect(file.records.map(({ record, line, part }) => [record, line, part])).toEqual([[0, 0, 0], [1, 0, 1], [2, 0, 2], [3, 1, 0], [4, 1, 1], [5, 1, 2]]);
    const all = await rolloutsOf(file);
    expect(all.map(({ question }) => question)).toEqual(Array(6).fill('Who wrote it?'));
    expect(all.map(({ answers }) => answers)).toEqual(Array(6).fill(['Ada']));
    expect(all.map(({ final }) => final?.answer)).toEqual(['Ada', 'Bob', 'Ada', 'Ada', 'Bob', 'Ada']);
    expect(all.slice(0, 2).map(({ turns }) => turns.length)).toEqual([1, 1]);
    expect(new Set(all.map(({ group }) => group)).size).toBe(1);
    expect(all[0]?.group).toBeDefined();
  });

  it('gives each its own of the figures that stand in lists, and all the golds', async () => {
    const row = { question: 'Who?', golden_answers: ['Ada', 'A. Quill'], responses: [one, two], scores: [1, 0], response_ids: [[5, 6], [7]], docs: ['a', 'b'] };
    const [first, second] = await rolloutsOf(await open(jsonl(row)));
    expect([first?.recorded, second?.recorded]).toMatchObject([
      { reward: 1, tokens: { ids: [5, 6] }, extra: { docs: ['a', 'b'] } },
      { reward: 0, tokens: { ids: [7] }, extra: { docs: ['a', 'b'] } },
    ]);
    expect(second?.answers).toEqual(['Ada', 'A. Quill']);
  });

  it.each([
    ['an array', JSON.stringify([{ problem: 'Who?', ground_truth: 'Ada', generations: [one, two] }], null, 1)],
    ['one document', JSON.stringify({ question: 'Who?', ground_truth: 'Ada', rollouts: [{ question: 'Who?', response: one }, { response: two }] }, null, 1)],
    ['a longer head', jsonl({ question: 'Who?', answer: 'Ada', responses: [searched('author', 'Ada').replace('Doc 1', 'Doc 1 '.repeat(20_000)), two] })],
  ])('in %s', async (_, text) => {
    const all = await rolloutsOf(await open(text));
    expect(all.map(({ question, final }) => [question, final?.answer])).toEqual([['Who?', 'Ada'], ['Who?', 'Bob']]);
  });

  it('names the rollout that failed, and reads those of a row that breaks off', async () => {
    const whole = JSON.stringify({ question: 'Who?', answer: 'Ada', responses: [one, null, two] });
    const file = await open(`${whole}\n${whole.slice(0, whole.lastIndexOf('printer') + 12)}`);
    const read = await Promise.all(file.records.map(({ record }) => file.read(record)));
    expect(read.map((result) => (result.kind === 'problem' ? result.message : [result.trajectory.ending, result.trajectory.final?.answer]))).toEqual([
      ['complete', 'Ada'],
      'Line 1, rollout 2: this record has no text with the tags of a search agent; it is skipped.',
      ['complete', 'Bob'],
      ['complete', 'Ada'],
      expect.stringMatching(/^Line 2, rollout 2: /),
      ['damaged', undefined],
    ]);
    expect(await file.raw(2)).toBe(whole);
  });

  it('reads rows with one rollout beside them, and one alone in its list', async () => {
    const rows = [{ question: 'Who?', answer: 'Ada', response: one }, { question: 'Who?', answer: 'Ada', responses: [two] }, { question: 'Who?', answer: 'Ada', responses: [one, two] }];
    const file = await open(jsonl(...rows));
    expect((await rolloutsOf(file)).map(({ final }) => final?.answer)).toEqual(['Ada', 'Bob', 'Ada', 'Bob']);
  });

  it('says where such a row comes too late to be told', async () => {
    const single = { question: 'Who?', answer: 'Ada', response: one };
    const file = await open(jsonl(...Array.from({ length: 25 }, () => single), { question: 'Who?', answer: 'Ada', responses: [one, two] }));
    expect(await file.read(25)).toMatchObject({ kind: 'problem', message: expect.stringContaining('Line 26: this record holds 2 rollouts') });
  });

  it('reads and parses a row once for all of its rollouts, however many', async () => {
    const row = jsonl({ question: 'Who?', answer: 'Ada', responses: Array.from({ length: 3000 }, (_, i) => searched(`author ${i}`, 'Ada')), scores: Array.from({ length: 3000 }, (_, i) => i), constructor: [1] });
    let bytes = 0;
    const inner = bytesSource(row);
    const source: ByteSource = { size: () => inner.size(), read: (start, end) => ((bytes += end - start), inner.read(start, end)) };
    const all = await rolloutsOf(await openTrajectoryFile(source, 'x.jsonl'));
    expect(all.map(({ recorded }) => recorded?.reward)).toEqual(Array.from({ length: 3000 }, (_, i) => i));
    expect(all.at(-1)?.turns[0]?.queries).toEqual(['author 2999']);
    expect(bytes).toBeLessThan(row.length * 6);
  });

  it('follows a file that grows in the middle of a row', async () => {
    const rows = [1, 2, 3].map((n) => jsonl({ question: `Who wrote ${n}?`, answer: 'Ada', responses: [one, two] }));
    let text = `${rows[0]}${rows[1]?.slice(0, 40)}`;
    const source: ByteSource = { size: async () => Buffer.byteLength(text), read: async (start, end) => Buffer.from(text).subarray(start, end) };
    const file = await openTrajectoryFile(source, 'x.jsonl');
    expect(file.records).toHaveLength(3);
    const { records } = file;
    text = rows.join('');
    expect(await file.grow?.()).toBe(true);
    expect(file.records).toBe(records);
    expect((await rolloutsOf(file)).map(({ question }) => question)).toEqual([1, 1, 2, 2, 3, 3].map((n) => `Who wrote ${n}?`));
  });
});

describe('lists that are no rollouts of one question', () => {
  it.each<[string, object, number]>([
    ['rows of other questions under one key', { prompt: 'a template', rollouts: [{ question: 'q1', response: one }, { question: 'q2', response: two }] }, 2],
    ['a chat', { prompt: 'Who?', answer: 'Ada', completion: chat('Ada') }, 1],
    ['ids of tokens', { input: 'Question: Who?', output: one, gts: 'Ada', responses: [1, 2, 3] }, 1],
  ])('%s', async (_, row, count) => {
    const file = await open(jsonl(row));
    expect(file.records.map(({ part }) => part)).toEqual(Array(count).fill(undefined));
    await expect(rolloutsOf(file)).resolves.toHaveLength(count);
  });

  it('what a policy said turn by turn', async () => {
    const row = { question: 'Who?', answer: 'Ada', responses: ['<think>x</think><search>q</search>', atOnce], observations: ['r'] };
    expect((await open(jsonl(row))).kind.kind).toBe('foreign');
  });
});
