import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/trajectory/model';
import { readNative } from '../../../../src/trajectory/read';
import { writeNative } from '../../../../src/trajectory/write';
import { codes, gist, one, open } from './support';

const searchR1 = '<think>a</think>\n<search> first </search>\n\n<information>Doc 1</information>\n\n<think>b</think>\n<search>second</search>\n\n<information>Doc 2</information>\n\n<think>c</think>\n<answer> Paris </answer>';
const facts = { question: 'Where?', answers: ['Paris'], queries: [['first'], ['second']], results: ['Doc 1', 'Doc 2'], answer: 'Paris' };
const chat = '<|im_start|>user\nUse tools.\nQuestion: Where?<|im_end|>\n<|im_start|>assistant\n';
const called =
  '<think>a</think>\n<tool_call>\n{"name": "web_search", "arguments": {"query": ["first", "again"]}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\nDoc 1\n</tool_response><|im_end|>\n<|im_start|>assistant\n<think>b</think>\n<answer>Paris</answer><|im_end|>';

describe('trainers of search agents', () => {
  it('LOTAPO: diagnostics, with every figure of every turn', async () => {
    const t = await one(
      {
        question_index: 4,
        rollout: 1,
        prompt: `${chat}`,
        ground_truth: ['Paris'],
        response_text: searchR1,
        total_reward: 0.5,
        ig_tau: 0.2,
        turns: [
          { turn: 1, text: 'x', information_text: 'Doc 1', is_answer_turn: false, raw_ig: 0.4, ig_score: 1.02 },
          { turn: 2, text: 'y', information_text: 'Doc 2', is_answer_turn: false, raw_ig: null, ig_score: -1.3 },
          { turn: 3, text: 'z', is_answer_turn: true, raw_ig: 0 },
        ],
      },
      'lotapo-diagnostics',
    );
    expect(gist(t)).toEqual(facts);
    expect(t.group).toBe('4');
    expect(t.recorded).toMatchObject({ reward: 0.5, extra: { ig_tau: 0.2 }, turns: { raw_ig: [0.4, null], ig_score: [1.02, -1.3] } });
  });

  it('verl: a dump of tool calls whose chat markers are gone', async () => {
    const output = called.replace(/<\|im_end\|>|<\|im_start\|>/g, '');
    const t = await one({ input: 'user\nQuestion: Where?\nassistant\n', output, gts: 'Paris', score: 1, step: 2 }, 'verl');
    expect(gist(t)).toEqual({ ...facts, queries: [['first', 'again']], results: ['Doc 1'] });
    expect(t.dialect).toBe('qwen-tools');
    expect(codes(t)).toContain('special-tokens-stripped');
  });

  it('IGPO: figures by turn and by token, golds in one text', async () => {
    const row = { input: chat, output: called, rewards: [0, 0.5, 1], info_gain_rewards: [0.25], step: 3, ground_truth: 'Paris<|answer_split|>paris', f1_scores: 1 };
    const t = await one(row, 'igpo');
    expect(gist(t)).toEqual({ ...facts, answers: ['Paris', 'paris'], queries: [['first', 'again']], results: ['Doc 1'] });
    expect(t.prompt).toEqual({ kind: 'text', text: chat });
    expect(t.recorded).toMatchObject({ reward: 1, step: 3, turns: { info_gain_rewards: [0.25] }, tokens: { rewards: [0, 0.5, 1] } });
    expect(textOf(t, t.turns[0]?.policy ?? { start: 0, end: 0 })).toMatch(/<\/tool_call><\|im_end\|>$/);
    expect(textOf(t, t.turns[0]?.observation ?? { start: 0, end: 0 })).toBe('\n<|im_start|>user\n<tool_response>\nDoc 1\n</tool_response><|im_end|>\n<|im_start|>assistant\n');
  });

  it('DeepResearcher: an array of whole chats', async () => {
    const t = await one(`[${JSON.stringify({ idx: 0, question: 'Where?', message_str: chat + called })}]`, 'igpo-messages');
    expect(gist(t)).toMatchObject({ question: 'Where?', queries: [['first', 'again']], answer: 'Paris' });
    expect(t.prompt).toEqual({ kind: 'text', text: chat });
  });

  it('TIPS: potentials of the states, rewards of the turns', async () => {
    const info_reward = { phi_values: [-3, -1], delta_phi: [2], info_rewards: [0.04], seg_ids: [0, 1] };
    const t = await one([{ sample_index: 0, step: 7, prompt: chat, response: called, main_score: 1, ground_truth: ['Paris'], info_reward }], 'tips');
    expect(gist(t)).toMatchObject({ answers: ['Paris'], answer: 'Paris' });
    expect(t.recorded).toMatchObject({ reward: 1, step: 7, states: { phi_values: [-3, -1] }, turns: { delta_phi: [2], info_rewards: [0.04] } });
    expect((await open('{"0": {"phi_values": [1], "delta_phi": []}}')).format).toBeUndefined();
  });

  it('R1-Searcher: text that begins inside the think tag of the prompt', async () => {
    const text = ' I search.<|begin_of_query|> first<|end_of_query|>\n\n<|begin_of_documents|>\n(1)Doc 1\n<|end_of_documents|>\n\nSo it is. </think>\n\n<answer> Paris </answer>';
    const row = { question: 'Where?', answer: 'Paris', pred_ans: ' Paris ', stop_reason_final: 'finished', gen_text_store: text };
    const t = await one(row, 'r1-searcher');
    expect(gist(t)).toEqual({ ...facts, queries: [['first']], results: ['(1)Doc 1'] });
    expect([textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 }), codes(t)]).toEqual([' I search.', []]);
    const logged = await one({ question: 'Where?', solution: text, score: 1, finished: true }, 'r1-searcher-rewards');
    expect([logged.final?.answer, logged.recorded?.reward, codes(logged)]).toEqual(['Paris', 1, ['gold-missing']]);
  });

  it('Search-o1 and WebThinker: an array, boxed answers, pages that are opened', async () => {
    const Output =
      'I look.\n\n<|begin_search_query|>first<|end_search_query|>\n\n<|begin_search_result|>Doc 1<|end_search_result|>\n\nI open.\n<|begin_click_link|>http://x<|end_click_link|>\n\n<|begin_click_result|>Doc 2<|end_click_result|>\n\nSo \\boxed{\\text{Paris}}.';
    const t = await one(JSON.stringify([{ Question: 'Where?', answer: 'Paris', Output, Pred_Answer: 'Paris', Metrics: { em: 1 } }], undefined, 2), 'search-o1');
    expect(gist(t)).toEqual({ ...facts, queries: [['first'], ['http://x']] });
    expect(t.recorded?.extra).toMatchObject({ Metrics: { em: 1 } });
  });

  it('ReSearch through FlashRAG: results, and a boxed answer inside its tags', async () => {
    const text = '<think> a </think> <search> first </search> <result>\nDoc 1\n</result> <think> b </think> <answer> The final answer is \\[ \\boxed{Paris} \\] </answer>';
    const t = await one([{ id: 't1', question: 'Where?', golden_answers: ['Paris'], output: { pred: 'Paris', final_response: text, metric_score: { em: 1 } } }], 'tagged-text');
    expect(gist(t)).toEqual({ ...facts, queries: [['first']], results: ['Doc 1'] });
    expect(t.dialect).toBe('research');
  });

  it('ZeroSearch, StepSearch, SubSearch: text with tags under any name', async () => {
    const t = await one({ question: 'Where?', golden_answers: ['Paris'], model_output: searchR1.replace('first', 'one ## two') }, 'tagged-text');
    expect([t.dialect, t.turns[0]?.queries]).toEqual(['subsearch', ['one', 'two']]);
    expect(t.turns[0]?.querySpans.map((span) => textOf(t, span))).toEqual([' one ', ' two ']);
  });

  it('SkyRL: golds inside the environment, a score by token', async () => {
    const row = { input_prompt: [{ role: 'user', content: 'Question: Where?' }], output_response: searchR1, score: [0, 0, 1], stop_reason: 'stop', env_class: 'search', env_extras: { reward_spec: { ground_truth: { target: ['Paris'] } } } };
    const t = await one(row, 'skyrl');
    expect(gist(t)).toEqual(facts);
    expect(t.recorded).toMatchObject({ reward: 1, tokens: { rewards: [0, 0, 1] } });
  });

  it('slime, exported: ids, mask and log-probs of the response', async () => {
    const row = { prompt: 'Question: Where?', response: searchR1, tokens: [1, 2, 3, 4], response_length: 2, loss_mask: [1, 0], rollout_log_probs: [-0.1, 0], reward: [0, 2], label: 'Paris' };
    const t = await one(row, 'slime');
    expect(t.recorded?.tokens).toEqual({ ids: [3, 4], mask: [1, 0], logprobs: [-0.1, 0], rewards: [0, 2] });
    expect(codes(t)).toContain('reward-on-masked-token');
  });

  it('a dialect of the user\'s own', async () => {
    const mine = { ...(await import('../../../../src/trajectory/dialect')).searchR1, id: 'mine', tags: { think: { open: '<t>', close: '</t>' }, search: { open: '<s>', close: '</s>' }, observation: { open: '<o>', close: '</o>' }, answer: { open: '<a>', close: '</a>' } } };
    const t = await one({ input: 'Question: Where?', output: '<t>x</t>\n<s>first</s>\n\n<o>Doc 1</o>\n\n<a>Paris</a>' }, 'verl', { dialects: [mine] });
    expect([t.dialect, gist(t)]).toMatchObject(['mine', { queries: [['first']], results: ['Doc 1'], answer: 'Paris' }]);
  });
});

describe('chats as plain text', () => {
  const one_ = `<|im_start|>system\nBe good.<|im_end|>\n<|im_start|>user\nFor example, <search> x </search>, <information>y</information>, <answer> Beijing </answer>. Question: Where?\n<|im_end|>\n<|im_start|>assistant\n${searchR1}\n`;
  it('are one record each, and nothing is read out of the prompt', async () => {
    const { format, results } = await open(`${one_}\n\n\n${one_.replace('</think>\n<answer>', '</think>\n</think>\n<answer>')}`);
    const all = results.map((result) => (result.kind === 'trajectory' ? result.trajectory : undefined));
    expect([format, all.length]).toEqual(['chat-text', 2]);
    expect(all.map((t) => t && gist(t))).toEqual([{ ...facts, answers: [] }, { ...facts, answers: [] }]);
    expect(all.map((t) => t && codes(t))).toEqual([['gold-missing'], ['gold-missing', 'unpaired-tag']]);
  });

  it('may lack their prompt', async () => {
    const { format, results } = await open(searchR1);
    expect([format, results.length]).toEqual(['chat-text', 1]);
    expect((await open('Notes on <search> and <information> tags: </search>')).format).toBeUndefined();
  });
});

it('recorded figures survive a native copy', async () => {
  const row = { prompt: chat, response: called, main_score: 1, step: 2, info_reward: { phi_values: [-3, -1], delta_phi: [2] }, uid: 'u' };
  const t = await one([row], 'tips');
  const copy = readNative(writeNative({ ...t, recorded: { ...t.recorded, tokens: { ids: [1, 2], mask: [1, 0], logprobs: [-1, null] } } }));
  expect(copy.kind === 'trajectory' && copy.trajectory.recorded).toEqual({
    reward: 1,
    step: 2,
    states: { phi_values: [-3, -1] },
    turns: { delta_phi: [2] },
    tokens: { ids: [1, 2], mask: [1, 0], logprobs: [-1, null] },
    extra: { uid: 'u' },
  });
});
