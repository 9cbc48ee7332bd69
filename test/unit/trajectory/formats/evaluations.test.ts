import { describe, expect, it } from 'vitest';
import { codes, gist, one, open } from './support';

const rollout = '<think>a</think>\n<search>first</search>\n\n<information>Doc 1</information>\n\n<answer>Paris</answer>';
const facts = { question: 'Where?', answers: ['Paris'], queries: [['first']], results: ['Doc 1'], answer: 'Paris' };
const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('rows of an evaluation', () => {
  it('count their turns and are no trajectories of our own', async () => {
    const t = await one({ dataset: 'NQ', question: 'Where?', golden: ['Paris'], predicted: 'Paris', correct: true, turns: 2, full_output: rollout }, 'tagged-text');
    expect(gist(t)).toEqual(facts);
    expect(codes(t)).toEqual([]);
  });

  it.each([
    ['a column of their own', { raw_trajectory: `<|im_start|>user\nQuestion: Where?<|im_end|>\n<|im_start|>assistant\n${rollout}` }, 'tagged-text'],
    ['the diagnostics of a trainer', { response_text: rollout, question_index: 3 }, 'lotapo-diagnostics'],
  ])('may list figures of the turns beside the text, in %s', async (_, column, format) => {
    const row = { question: 'Where?', answers: ['Paris'], turns: [{ action: 'search', think: 'a', search_query: 'first', raw_ig: 0.5 }, { action: 'answer', answer: 'Paris' }], ...column };
    expect(gist(await one(row, format))).toEqual(facts);
    expect(gist(await one({ schema_version: 1, record_type: 'eval', ...row }, format))).toEqual(facts);
    const cut = JSON.stringify({ ...column, ...row, turns: [] });
    expect((await open(cut.slice(0, cut.lastIndexOf('[') + 1))).format).toBe(format);
  });

  it('a trajectory of our own whose question quotes tags stays one', async () => {
    const question = 'What do <search> x </search> and <information> mean?';
    expect((await open(`${JSON.stringify({ question, answers: ['Paris'], turns: [{ search: 'first', result: 'Doc 1' }, { answer: 'Paris' }] })}\n`)).format).toBe('native');
  });

  it('are kept where one answers at once, or says no more than a few words', async () => {
    const direct = ['<think>I know.</think>\n<answer>Rome</answer>', 'I cannot say.'];
    const { format, results } = await open(lines({ question: 'Where?', response: rollout }, ...direct.map((response) => ({ question: 'Where?', response })), { question: 'Where?', error: 'timeout' }));
    expect(format).toBe('tagged-text');
    expect(results.map((result) => (result.kind === 'trajectory' ? [result.trajectory.turns.length, result.trajectory.final?.answer] : result.message))).toEqual([
      [1, 'Paris'],
      [0, 'Rome'],
      [0, undefined],
      'Line 4: this record has no text with the tags of a search agent; it is skipped.',
    ]);
  });

  it('are told where the first of them never search', async () => {
    const refused = Array.from({ length: 8 }, () => ({ question: 'Where?', response: 'I cannot say.' }));
    const { format, results } = await open(JSON.stringify([...refused, { question: 'Where?', response: rollout }], undefined, 2));
    expect([format, results.length]).toEqual(['tagged-text', 9]);
  });

  it('ASearcher: pages are opened in tags of their own', async () => {
    const output = '<think>a</think><search>first</search>\n\n<information>\nDoc 1\n</information>\n\n<access>https://a.example</access>\n\n<information>\nPage 1\n</information>\n\n<answer>Paris</answer>';
    const t = await one({ question: 'Where?', gt: 'Paris', output }, 'tagged-text');
    expect(gist(t)).toEqual({ ...facts, queries: [['first'], ['https://a.example']], results: ['Doc 1', 'Page 1'] });
    expect([t.dialect, codes(t)]).toEqual(['asearcher', []]);
  });

  it('BrowseComp-Plus: a call and its result are one step', async () => {
    const step = (type: string, output: unknown, more: object = {}): object => ({ type, tool_name: null, arguments: null, output, ...more });
    const result = [step('reasoning', ['Think.']), step('tool_call', 'Doc 1', { tool_name: 'search', arguments: '{"query": "first"}' }), step('output_text', 'Exact Answer: Paris')];
    const t = await one({ metadata: { model: 'm' }, query_id: '7', tool_call_counts: { search: 1 }, status: 'completed', retrieved_docids: ['d'], result }, 'browsecomp-plus');
    expect(gist(t)).toEqual({ question: '', answers: [], queries: [['first']], results: ['Doc 1'], answer: 'Exact Answer: Paris' });
    expect([t.group, codes(t)]).toEqual(['7', ['text-rendered', 'question-missing', 'gold-missing']]);
    const whole = JSON.stringify({ query_id: '7', result });
    const { results } = await open(`${whole}\n${whole.slice(0, whole.indexOf('"output_text"') + 5)}`);
    expect(results.map((read) => (read.kind === 'trajectory' ? [read.trajectory.turns.length, read.trajectory.final?.answer] : read.message))).toEqual([[1, 'Exact Answer: Paris'], [1, undefined]]);
    const refused = await open(lines({ query_id: '7', result: [{ type: 'image' }] }));
    expect([refused.format, refused.message?.startsWith('x.json is JSON but no search trajectory')]).toEqual([undefined, true]);
  });
});

describe('calls in a message\'s own words', () => {
  const chat = (said: string, heard: string, answer: string): object => ({
    answer: 'Paris',
    messages: [{ role: 'user', content: 'Question: Where?' }, { role: 'assistant', content: said }, { role: 'tool', content: heard }, { role: 'assistant', content: answer }],
  });
  it.each([
    ['search tags', '<search>first</search>', '<information>Doc 1</information>', '<answer>Paris</answer>'],
    ['tool calls', '<tool_call>\n{"name": "search", "arguments": {"query": "first"}}\n</tool_call>', 'Doc 1', '\\boxed{Paris}'],
  ])('are answered by a tool: %s', async (_, said, heard, answer) => {
    const t = await one(chat(said, heard, answer), 'messages');
    expect(gist(t)).toEqual(facts);
    expect(codes(t)).toEqual(['text-rendered']);
  });

  it('are missed where there are none', async () => {
    expect(codes(await one(chat('Let me see.', 'Doc 1', 'Paris'), 'messages'))).toContain('call-unpaired');
  });
});

describe('a chat in a row', () => {
  const messages = [{ role: 'user', content: 'Question: Where?' }, { role: 'assistant', content: '<search>first</search>' }, { role: 'user', content: '<information>Doc 1</information>' }, { role: 'assistant', content: 'It is <answer>Paris</answer>' }];
  const python = `[${messages.map(({ role, content }) => `{'role': '${role}', 'content': '${content}'}`).join(', ')}]`;

  it.each([
    ['as JSON in a text', { messages: JSON.stringify(messages) }],
    ['as Python writes it', { messages: python }],
    ['under another name', { trajectory: messages }],
    ['as the history', { history: messages }],
  ])('is read %s', async (_, column) => {
    expect(gist(await one({ problem: 'Where?', answer: 'Paris', ...column }, 'messages'))).toEqual(facts);
  });

  it('is none without what the policy said', async () => {
    const { format } = await open(lines({ problem: 'Where?', history: messages.filter(({ role }) => role === 'user') }));
    expect(format).toBeUndefined();
  });

  it('a prompt that is messages in a text is read as messages', async () => {
    const t = await one({ input: JSON.stringify(messages.slice(0, 1)), output: rollout, gts: 'Paris' }, 'verl');
    expect(gist(t)).toEqual(facts);
    expect(t.prompt.kind).toBe('messages');
  });
});

describe('the prompt of a row', () => {
  it.each([
    ['is an instruction where the input is empty', { instruction: 'Question: Where?', input: '', output: rollout }, 'Question: Where?'],
    ['is an instruction and its input', { instruction: 'Search.', input: 'Question: Where?', output: rollout }, 'Search.\nQuestion: Where?'],
    ['is what stands before the rollout that it ends in', { prompt: `Question: Where?\n${rollout}`, output: rollout }, 'Question: Where?\n'],
    ['is the one from before the run', { item: { Question: 'Where?' }, prompt: `x${rollout}`, original_prompt: 'Question: Where?', output: rollout }, 'Question: Where?'],
  ])('%s', async (_, row, text) => {
    const t = await one({ ...row, gold: 'Paris' }, 'tagged-text');
    expect(gist(t)).toEqual(facts);
    expect(t.prompt).toEqual({ kind: 'text', text });
  });
});

describe('tools on the model\'s side, in items of the Responses API', () => {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Paris' }] };
  it.each([
    ['web_search_call', { id: 'w', status: 'completed', action: { type: 'search', query: 'first' } }, [['first']], ['']],
    ['mcp_call', { id: 'm', server_label: 's', name: 'search', arguments: '{"query": "first"}', output: 'Doc 1' }, [['first']], ['Doc 1']],
    ['file_search_call', { id: 'f', queries: ['first'], results: [{ text: 'Doc 1' }] }, [['first']], ['Doc 1']],
    ['code_interpreter_call', { id: 'c', code: 'print(1)', outputs: null }, [['print(1)']], ['']],
  ])('%s', async (type, item, queries, results) => {
    const t = await one({ output: [{ type: 'mcp_list_tools', tools: [{ name: 'search' }] }, { type, ...item }, message], question: 'Where?', expected_answer: 'Paris' }, 'responses');
    expect(gist(t)).toEqual({ ...facts, queries, results });
  });
});

describe('columns with a figure for each token', () => {
  const figures = { response_ids: [4, 5, 6, 7], response_mask: [1, 1, 0, 1], rollout_log_probs: [-0.5, -0.25, 0, -1], token_level_rewards: [0, 0, 0, 1], values: [0.5, 0.5] };
  it.each([
    ['a dump of verl', 'verl', { input: 'Question: Where?', output: rollout, score: 1 }],
    ['a row of an evaluation', 'tagged-text', { question: 'Where?', generation: rollout, reward: 1 }],
  ])('are tokens in %s', async (_, format, row) => {
    const t = await one({ ...row, gts: 'Paris', ...figures }, format);
    expect(gist(t)).toEqual(facts);
    expect(t.recorded?.tokens).toEqual({ ids: [4, 5, 6, 7], mask: [1, 1, 0, 1], logprobs: [-0.5, -0.25, 0, -1], rewards: [0, 0, 0, 1] });
    expect(t.recorded?.extra).toEqual({ values: [0.5, 0.5], ...(format === 'verl' ? {} : { gts: 'Paris' }) });
    expect(t.turns[0]?.ids).toEqual({ policy: [4, 5], observation: [6], logprobs: [-0.5, -0.25] });
  });

  it('are none without ids', async () => {
    const t = await one({ input: 'Question: Where?', output: rollout, gts: 'Paris', score: 1, ...figures, response_ids: 'x' }, 'verl');
    expect([t.recorded?.tokens, t.recorded?.extra]).toEqual([undefined, { ...figures, response_ids: 'x' }]);
  });
});

it.each([
  ['<think>\n', 'a</think>\n', []],
  ['', 'a</think>\n', ['unpaired-tag']],
  ['<think>\n', '<think>a</think></think>\n', ['unpaired-tag']],
  ['<think>\n', 'a</think></think>\n', ['unpaired-tag']],
])('a thought that begins in the prompt (%j) ends in the rollout (%j)', async (opened, thought, expected) => {
  const prompt = `<|im_start|>user\nQuestion: Where?<|im_end|>\n<|im_start|>assistant\n${opened}`;
  const t = await one({ input: prompt, output: thought + rollout.slice(rollout.indexOf('<search>')), gts: 'Paris' }, 'verl');
  expect(gist(t)).toEqual(facts);
  expect(codes(t)).toEqual(expected);
});
