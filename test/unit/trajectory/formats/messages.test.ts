import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/trajectory/model';
import { codes, gist, one, open } from './support';

const asked = { role: 'user', content: 'Where?' };
const call = (id: string, name: string, args: object): object => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const rollout = [
  { role: 'system', content: 'Be good.' },
  asked,
  { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call('c1', 'search', { query: 'first' }), call('c2', 'visit', { url: 'u' })] },
  { role: 'tool', tool_call_id: 'c1', content: 'Doc 1' },
  { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'Page' }] },
  { role: 'assistant', content: 'It is \\boxed{Paris}.' },
];

describe('a chat that begins with the assistant', () => {
  const greeting = { role: 'assistant', content: 'Hi! How can I help you today?' };
  const [system, , ...rest] = rollout;
  const acting = [{ role: 'assistant', content: '<search>first</search>' }, { role: 'user', content: '<information>Doc 1</information>' }, { role: 'assistant', content: '<answer>Paris</answer>' }];

  it.each([
    ['in a column', { messages: [system, greeting, asked, ...rest], reward: 1 }, 'messages'],
    ['without a system', { conversations: [greeting, asked, ...rest].map(({ role, ...message }) => ({ ...message, from: role })) }, 'messages'],
    ['as a bare list', [system, greeting, asked, ...rest], 'message-list'],
  ])('greets, and that is no turn of it: %s', async (_, row, format) => {
    const t = await one(JSON.stringify(row), format);
    expect(gist(t)).toMatchObject({ question: 'Where?', queries: [['first', 'visit {"url":"u"}']], answer: 'Paris' });
    expect(t.prompt).toMatchObject({ messages: expect.arrayContaining([greeting]) });
    expect(t.text).not.toContain('How can I help');
  });

  it.each<[string, object]>([
    ['searches', { messages: acting }],
    ['calls a tool', { messages: rest }],
    ['speaks in answer to a prompt beside it', { question: 'Where?', messages: [{ role: 'assistant', content: 'I ask you first.' }, { role: 'user', content: 'Doc 1' }, { role: 'assistant', content: 'Paris' }] }],
  ])('has its first turn there where it %s', async (_, row) => {
    const t = await one(row, 'messages');
    expect([t.turns.length, t.final?.answer, t.prompt.kind]).toEqual([1, 'Paris', 'contract']);
  });

  it('says all it says where nobody speaks again after it', async () => {
    expect((await one({ messages: [greeting, asked] }, 'messages')).text).toContain('How can I help');
  });
});

describe('messages', () => {
  it.each(['constructor', '__proto__', 'toString'])('a role that is called %s is a name like any other', async (role) => {
    const t = await one(JSON.stringify({ messages: [{ role, content: 'Be good.' }, ...rollout.slice(1)], reward: 1 }), 'messages');
    expect(t.prompt).toMatchObject({ messages: [{ role, content: 'Be good.' }, asked] });
    expect(structuredClone(t.prompt)).toEqual(t.prompt);
  });

  it('OpenAI: parallel calls of one action are one turn, the last message is the answer', async () => {
    const t = await one({ messages: rollout, answer: 'Paris', reward: 1 }, 'messages');
    expect(gist(t)).toEqual({
      question: 'Where?',
      answers: ['Paris'],
      queries: [['first', 'visit {"url":"u"}']],
      results: ['Doc 1\n</tool_response>\n<tool_response>\nPage'],
      answer: 'Paris',
    });
    expect(t.prompt).toEqual({ kind: 'messages', messages: [{ role: 'system', content: 'Be good.' }, asked] });
    expect(textOf(t, t.turns[0]?.policy ?? { start: 0, end: 0 })).toBe(
      '<think>\nhm\n</think>\n\n<tool_call>\n{"name":"search","arguments":{"query":"first"}}\n</tool_call>\n<tool_call>\n{"name":"visit","arguments":{"url":"u"}}\n</tool_call><|im_end|>',
    );
    expect(codes(t)).toEqual(['text-rendered', 'question-guessed']);
  });

  it('Anthropic: what a message says beside the results of tools is read too', async () => {
    const t = await one(
      {
        messages: [
          asked,
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'search', input: { query: 'first' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Doc' }, { type: 'text', text: 'Hurry.' }] },
          { role: 'assistant', content: 'Paris' },
        ],
      },
      'messages',
    );
    expect([gist(t), t.text.includes('Hurry.')]).toMatchObject([{ queries: [['first']], results: ['Doc'], answer: 'Paris' }, true]);
  });

  it('Anthropic: searches that the provider ran are turns', async () => {
    const searched = { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'web_search_result', title: 'Lyon', url: 'https://lyon.example', encrypted_content: 'x' }] };
    const content = [{ type: 'text', text: 'Looking.' }, { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'first' } }, searched, { type: 'text', text: 'Paris' }];
    const t = await one({ messages: [asked, { role: 'assistant', content }] }, 'messages');
    expect(gist(t)).toMatchObject({ queries: [['first']], results: ['Lyon\nhttps://lyon.example'], answer: 'Paris' });
    expect(codes(t)).not.toContain('call-unpaired');
  });

  it.each([
    ['an answer to no call', [{ role: 'tool', tool_call_id: 'other', content: 'Doc' }]],
    ['a call without an answer', [{ role: 'tool', tool_call_id: 'c1', content: 'Doc' }]],
  ])('says what was left over: %s', async (_, results) => {
    const t = await one({ messages: [...rollout.slice(0, 3), ...results, ...rollout.slice(5)] }, 'messages');
    expect([codes(t).includes('call-unpaired'), t.findings.find((finding) => finding.code === 'call-unpaired')?.turn]).toEqual([true, 1]);
  });

  it('a bare list is a record, of a file, of an array or of a line', async () => {
    expect(gist(await one(JSON.stringify(rollout, undefined, 2), 'message-list'))).toMatchObject({ answer: 'Paris' });
    expect((await open(JSON.stringify([rollout, rollout]))).results).toHaveLength(2);
    expect((await open(`${JSON.stringify(rollout)}\n${JSON.stringify(rollout)}\n`)).results).toHaveLength(2);
  });

  it('a column of tables: its list as JSON text, or under another name', async () => {
    const plain = gist(await one({ messages: rollout }, 'messages'));
    for (const row of [{ messages: JSON.stringify(rollout) }, { trajectory: rollout }, { trajectory: JSON.stringify(rollout) }]) {
      const t = await one({ instance_id: 'x', ...row }, 'messages');
      expect([gist(t), t.recorded?.extra]).toEqual([plain, { instance_id: 'x' }]);
    }
    expect((await open(JSON.stringify({ instance_id: 'x', messages: JSON.stringify(rollout).slice(0, -9) }))).format).toBeUndefined();
  });

  it('ShareGPT: conversations', async () => {
    const conversations = [
      { from: 'human', value: 'Where?' },
      { from: 'function_call', value: '{"name": "search", "arguments": {"query": "first"}}' },
      { from: 'observation', value: 'Doc 1' },
      { from: 'gpt', value: 'Paris' },
    ];
    expect(gist(await one({ conversations }, 'messages'))).toMatchObject({ question: 'Where?', queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
  });

  it('Anthropic: calls and answers are parts of messages', async () => {
    const messages = [
      asked,
      { role: 'assistant', content: [{ type: 'text', text: 'hm' }, { type: 'tool_use', id: 't1', name: 'search', input: { query: 'first' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'Doc 1' }] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Paris' }] },
    ];
    const t = await one({ messages }, 'messages');
    expect(gist(t)).toMatchObject({ queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
    expect(codes(t)).not.toContain('call-unpaired');
  });

  it('WebDancer: tags inside messages, golds as text, calls in the prompt', async () => {
    const messages = [
      { role: 'user', content: 'Example: <tool_call>{"name": "x"}</tool_call> <answer> here </answer>\nUser: Where?' },
      { role: 'assistant', content: '<think>a</think>\n<tool_call>\n{"name": "search", "arguments": {"query": ["first", "again"]}}\n</tool_call>' },
      { role: 'user', content: '<tool_response>\nDoc </tool_response> 1\n</tool_response>' },
      { role: 'assistant', content: '<think>b</think>\n<answer>\nParis\n</answer>' },
    ];
    const t = await one({ messages, answer: "[['Paris']]" }, 'messages');
    expect(gist(t)).toEqual({ question: 'Where?', answers: ['Paris'], queries: [['first', 'again']], results: ['Doc </tool_response> 1'], answer: 'Paris' });
    expect(codes(t)).toEqual(expect.arrayContaining(['gold-coerced']));
  });

  it('FireAct: ReAct inside messages; what follows the answer is left out', async () => {
    const messages = [
      asked,
      { role: 'assistant', content: 'Thought: hm\nAction: search[first]' },
      { role: 'user', content: 'Observation: Doc 1' },
      { role: 'assistant', content: 'Thought: so\nAction: finish[Paris]' },
      { role: 'user', content: 'Observation: Episode finished, reward = True' },
    ];
    const t = await one({ messages }, 'messages');
    expect(gist(t)).toEqual({ question: 'Where?', answers: [], queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
    expect(codes(t)).toContain('text-after-answer');
  });

  it('a reply to a message without a call is no final answer', async () => {
    const t = await one({ messages: [asked, { role: 'assistant', content: 'Paris?' }, { role: 'user', content: 'Sure?' }] }, 'messages');
    expect([t.turns.length, t.turns[0]?.ineligible, t.final]).toEqual([1, 'no search', undefined]);
  });

  it('a call that is not JSON is shown as it stands, with a finding', async () => {
    const messages = [asked, { role: 'assistant', content: '<tool_call>\nsearch(first)\n</tool_call>' }, { role: 'user', content: '<tool_response>\nError\n</tool_response>' }, { role: 'assistant', content: '<answer>P</answer>' }];
    const t = await one({ messages }, 'messages');
    expect([t.turns[0]?.queries, codes(t).includes('call-not-json')]).toEqual([['search(first)'], true]);
  });

  it('special tokens in a message are a finding', async () => {
    const t = await one({ messages: [asked, { role: 'assistant', content: '<|im_end|> x' }] }, 'messages');
    expect(codes(t)).toContain('special-token-in-text');
  });
});

describe('Responses items', () => {
  const output = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
    { type: 'function_call', name: 'search', arguments: '{"query":"first"}', call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: 'Doc 1' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Paris' }] },
  ];
  it('NeMo Gym', async () => {
    const row = { responses_create_params: { instructions: 'Solve.', input: 'Where?' }, response: { output }, reward: 1, expected_answer: 'Paris' };
    const t = await one(row, 'responses');
    expect(gist(t)).toEqual({ question: 'Where?', answers: ['Paris'], queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
    expect(t.prompt).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }] });
    expect(textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 })).toBe('\nhm\n');
  });

  it('shows an item of an unknown type', async () => {
    const t = await one({ responses_create_params: { input: 'Where?' }, response: { output: [{ type: 'teleport', to: 'Paris' }, ...output] } }, 'responses');
    expect(t.text).toContain('{"type":"teleport","to":"Paris"}');
  });
});

describe('verifiers and rLLM', () => {
  it('verifiers: completion as messages whose calls are JSON texts; tokens of each request', async () => {
    const tokens = (id: number): object => ({ completion_ids: [id, id + 1], completion_logprobs: [-0.1, -0.2], completion_mask: [1, 1] });
    const completion = [
      { role: 'assistant', content: '', tool_calls: [JSON.stringify(call('c1', 'search', { query: 'first' }))] },
      { role: 'tool', content: 'Doc 1', tool_calls: null },
      { role: 'assistant', content: 'Paris' },
    ];
    const t = await one({ prompt: [asked], completion, answer: 'Paris', reward: 1, task: 'x', trajectory: [{ tokens: tokens(1) }, { tokens: tokens(5) }] }, 'verifiers');
    expect(gist(t)).toEqual({ question: 'Where?', answers: ['Paris'], queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
    expect(t.recorded).toMatchObject({ reward: 1, tokens: { ids: [1, 2, 5, 6], mask: [1, 1, 1, 1] } });
  });

  it('a data set of prompts and completions is none', async () => {
    expect((await open('{"prompt": "a", "completion": "b"}\n')).format).toBeUndefined();
  });

  it('rLLM: the last step holds the whole chat; other trajectories are named', async () => {
    const steps = [{ reward: 0, chat_completions: rollout.slice(0, 3), response_ids: [1], logprobs: [-1] }, { reward: 1, chat_completions: rollout, response_ids: [2, 3], logprobs: [-2, -3] }];
    const t = await one({ id: 'q7:2', task: { question: 'Where?', ground_truth: 'Paris' }, is_correct: true, trajectories: [{ name: 'solver', reward: 1, steps }, { name: 'judge', steps: [] }] }, 'rllm');
    expect(gist(t)).toMatchObject({ question: 'Where?', answers: ['Paris'], answer: 'Paris' });
    expect(t).toMatchObject({ group: 'q7', recorded: { reward: 1, turns: { reward: [0, 1] }, tokens: { ids: [1, 2, 3], logprobs: [-1, -2, -3] } } });
    expect(codes(t)).toContain('other-trajectories');
  });
});

describe('ReAct as text', () => {
  const traj = 'Answer.\n\n### Instruction:\nWhere?\n\n### Response:\nThought: hm\nAction: search[first [1]]\nObservation: Doc\n1\nThought: so\nAction: finish[Paris]\nObservation: Episode finished, reward = True\n';
  it('FireAct: members of an object, prompt and rollout in one text', async () => {
    const opened = await open(JSON.stringify({ b17: { reward: true, gt: 'Paris', prompt: '', traj }, b4: { gt: 'x', traj } }));
    expect([opened.format, opened.results.length]).toEqual(['react', 2]);
    const [first] = opened.results;
    if (first?.kind !== 'trajectory') throw new Error();
    expect(gist(first.trajectory)).toEqual({ question: 'Where?', answers: ['Paris'], queries: [['first [1]']], results: ['Doc\n1'], answer: 'Paris' });
  });

  it.each([
    ['numbered labels', 'Question: Where?\nThought 1: hm\nAction 1: Search[first]\nObservation 1: Doc\nThought 2: so\nAction 2: Finish[Paris]\n'],
    ["LangChain's labels", 'Question: Where?\nThought: hm\nAction: search\nAction Input: first\nObservation: Doc\nThought: so\nFinal Answer: Paris'],
  ])('%s', async (_, text) => {
    expect(gist(await one([{ traj: text }], 'react'))).toEqual({ question: 'Where?', answers: [], queries: [['first']], results: ['Doc'], answer: 'Paris' });
  });
});
