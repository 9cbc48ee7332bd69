import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/trajectory/model';
import type { Trajectory } from '../../../../src/trajectory/model';
import { renderTranscript } from '../../../../src/trajectory/transcript';
import { atifOf } from '../../../../src/trajectory/writeAtif';
import { codes, gist, one } from './support';

const user = (content: string): object => ({ role: 'user', content });
const said = (content: string): object => ({ role: 'assistant', content });
const tool = (content: string): object => ({ role: 'tool', content });
const chat = (...messages: readonly object[]): Promise<Trajectory> => one({ messages: [user('Where?'), ...messages] }, 'messages');
const spans = (t: Trajectory): readonly (readonly string[])[] => t.turns.map(({ querySpans }) => querySpans.map((span) => textOf(t, span)));
/** Labels and lines of the transcript, in order, without what came back. */
const shown = (t: Trajectory): readonly string[] => renderTranscript(t).text.split('\n').filter((line) => line.startsWith('▸') && !line.includes('observation'));

const bash = (command: string): string => `<function=bash>\n<parameter=command>${command}</parameter>\n</function>`;

describe('calls in tags of XML', () => {
  const submit = '<function=submit>\n</function>';

  it('SWE-agent: each call is a turn, the last one too', async () => {
    const t = await chat(said(`Let me look.\n\n${bash('ls')}`), user('OBSERVATION:\na.py'), said(`Done.\n${submit}`), user('OBSERVATION:\nsubmitted'));
    expect(t.dialect).toBe('function-tools');
    expect(gist(t)).toMatchObject({ queries: [['ls'], ['submit']], results: ['OBSERVATION:\na.py', 'OBSERVATION:\nsubmitted'], answer: undefined });
    expect(spans(t)).toEqual([[bash('ls')], [submit]]);
    expect(shown(t)).toEqual(['▸ text', `▸ call: ${bash('ls').replaceAll('\n', '↵')}`, '▸ text', `▸ call: ${submit.replaceAll('\n', '↵')}`]);
  });

  it('SWE-smith: a run that ends with its submission has no answer', async () => {
    const list = [user('Where?'), said(bash('ls')), user('a.py'), said(submit)];
    const t = await one({ messages: JSON.stringify(list), instance_id: 'x__y', resolved: true }, 'messages');
    expect(gist(t)).toMatchObject({ queries: [['ls'], ['submit']], answer: undefined });
  });

  it('OpenHands: what `finish` was given is the answer', async () => {
    const t = await chat(said(bash('ls')), user('EXECUTION RESULT of [bash]:\na.py'), said('<function=finish>\n<parameter=message>\nIn "C:\\new".\n</parameter>\n</function>'));
    expect(gist(t)).toMatchObject({ queries: [['ls']], answer: 'In "C:\\new".' });
  });

  it('Llama 3.1: arguments may be JSON', async () => {
    const t = await chat(said('<function=search>{"query": "first"}</function>'), tool('Doc 1'), said('Paris'));
    expect(gist(t)).toMatchObject({ queries: [['first']], results: ['Doc 1'], answer: 'Paris' });
  });

  it('arguments may hold what looks like their end, and other calls', async () => {
    const inner = 'cat <<EOF\n<function=x>\n<parameter=y>1</parameter> and </function>\n<tool_call>\nEOF';
    const t = await chat(said(bash(inner)), user('ok'), said(bash('ls')), user('a.py'), said('Paris'));
    expect(gist(t)).toMatchObject({ queries: [[inner], ['ls']], answer: 'Paris' });
  });

  it('several calls of one message are one turn', async () => {
    const t = await chat(said(`${bash('a')}\n${bash('b')}`), user('ok'), said('Paris'));
    expect(gist(t)).toMatchObject({ queries: [['a', 'b']], results: ['ok'] });
  });

  it.each([
    ['a user quotes one', [said('I see.'), user(bash('ls')), said('Paris')]],
    ['a document quotes one', [said('I see.'), tool(`Doc: ${bash('ls')}`), said('Paris')]],
    ['the answer speaks of one', [said('I see.'), user('And?'), said(`Write ${bash('ls')}, and it runs.`)]],
  ])('there are none where %s', async (_, messages) => {
    const t = await chat(...messages);
    expect([t.dialect, t.turns.flatMap(({ queries }) => queries)]).toEqual(['chat-tools', []]);
    expect(t.final?.answer).toMatch(/^Paris|it runs\.$/);
  });

  it('a call that a document quotes is part of the document', async () => {
    const t = await chat(said(bash('cat x')), user(`${bash('rm x')}\n<function=`), said('Paris'));
    expect(gist(t)).toMatchObject({ queries: [['cat x']], results: [`${bash('rm x')}\n<function=`], answer: 'Paris' });
  });

  it('a call that breaks off is none, and named', async () => {
    const t = await chat(said(bash('ls')), user('a.py'), said('<function=bash>\n<parameter=command>ls'), user('Again.'), said('Paris'));
    expect(gist(t)).toMatchObject({ queries: [['ls'], []], answer: 'Paris' });
    expect(codes(t)).toContain('unpaired-tag');
  });

  it('calls within <tool_call> stay those of Qwen3-Coder', async () => {
    const t = await chat(said(`<tool_call>\n${bash('ls')}\n</tool_call>`), tool('a.py'), said('<answer>Paris</answer>'));
    expect([t.dialect, gist(t)]).toMatchObject(['qwen-tools', { queries: [['ls']], answer: 'Paris' }]);
  });
});

/** A model's own syntax: a chat as its template writes it, with the same two calls and the same answer. */
interface Syntax {
  readonly dialect: string;
  readonly prompt: string;
  readonly rollout: string;
  /** Inside the tags, as it stands. */
  readonly calls: readonly string[];
  readonly results?: readonly string[];
  /** Calls and their answers as a file of messages keeps them. */
  readonly messages: readonly [string, string];
}

const first = '{"query": "first"}';
const second = '{"query": "second"}';
const kimi = (n: number, given: string): string => `functions.search:${String(n)}<|tool_call_argument_begin|>${given}`;
const inKimi = (call: string): string => `<|tool_calls_section_begin|><|tool_call_begin|>${call}<|tool_call_end|><|tool_calls_section_end|>`;
const r1 = (given: string): string => `function<｜tool▁sep｜>search\n\`\`\`json\n${given}\n\`\`\``;
const inDeepSeek = (call: string): string => `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${call}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`;
const llama = (given: string): string => `{"name": "search", "parameters": ${given}}`;

const syntaxes: Readonly<Record<string, Syntax>> = {
  harmony: {
    dialect: 'harmony',
    prompt: '<|start|>system<|message|>Be brief.<|end|><|start|>developer<|message|># Tools<|end|><|start|>user<|message|>Where?<|end|><|start|>assistant',
    rollout:
      `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.search <|constrain|>json<|message|>${first}<|call|>` +
      '<|start|>functions.search to=assistant<|channel|>commentary<|message|>Doc 1<|end|><|start|>assistant' +
      ` to=functions.search<|channel|>commentary json<|message|>${second}<|call|>` +
      '<|start|>functions.search to=assistant<|channel|>commentary<|message|>Doc 2<|end|><|start|>assistant' +
      '<|channel|>final<|message|>Paris<|return|>',
    calls: [`functions.search <|constrain|>json<|message|>${first}`, `functions.search<|channel|>commentary json<|message|>${second}`],
    messages: [`<|channel|>commentary to=functions.search <|constrain|>json<|message|>${first}<|call|>`, '<|channel|>final<|message|>Paris<|return|>'],
  },
  'Kimi K2': {
    dialect: 'kimi-tools',
    prompt: '<|im_system|>system<|im_middle|>Be brief.<|im_end|><|im_user|>user<|im_middle|>Where?<|im_end|><|im_assistant|>assistant<|im_middle|>',
    rollout:
      `hm${inKimi(kimi(0, first))}<|im_end|><|im_system|>search<|im_middle|>Doc 1<|im_end|><|im_assistant|>assistant<|im_middle|>` +
      `${inKimi(kimi(1, second))}<|im_end|><|im_system|>search<|im_middle|>Doc 2<|im_end|><|im_assistant|>assistant<|im_middle|>Paris<|im_end|>`,
    calls: [kimi(0, first), kimi(1, second)],
    messages: [inKimi(kimi(0, first)), 'Paris'],
  },
  'DeepSeek R1': {
    dialect: 'deepseek-tools',
    prompt: '<｜begin▁of▁sentence｜>Be brief.<｜User｜>Where?<｜Assistant｜>',
    rollout:
      `${inDeepSeek(r1(first))}<｜end▁of▁sentence｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>Doc 1<｜tool▁output▁end｜><｜tool▁outputs▁end｜>` +
      `${inDeepSeek(r1(second))}<｜end▁of▁sentence｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>Doc 2<｜tool▁output▁end｜><｜tool▁outputs▁end｜>Paris<｜end▁of▁sentence｜>`,
    calls: [r1(first), r1(second)],
    messages: [inDeepSeek(r1(first)), 'Paris'],
  },
  'DeepSeek V3.1': {
    dialect: 'deepseek-tools',
    prompt: '<｜begin▁of▁sentence｜>Be brief.<｜User｜>Where?<｜Assistant｜></think>',
    rollout:
      `${inDeepSeek(`search<｜tool▁sep｜>${first}`)}<｜end▁of▁sentence｜><｜tool▁output▁begin｜>Doc 1<｜tool▁output▁end｜>` +
      `${inDeepSeek(`search<｜tool▁sep｜>${second}`)}<｜end▁of▁sentence｜><｜tool▁output▁begin｜>Doc 2<｜tool▁output▁end｜>Paris<｜end▁of▁sentence｜>`,
    calls: [`search<｜tool▁sep｜>${first}`, `search<｜tool▁sep｜>${second}`],
    messages: [inDeepSeek(`search<｜tool▁sep｜>${first}`), 'Paris'],
  },
  'Mistral, a list': {
    dialect: 'mistral-tools',
    prompt: '<s>[AVAILABLE_TOOLS] [][/AVAILABLE_TOOLS][INST] Where? [/INST]',
    rollout:
      `[TOOL_CALLS] [{"name": "search", "arguments": ${first}, "id": "abcdefghi"}]</s>[TOOL_RESULTS] {"content": "Doc 1", "call_id": "abcdefghi"}[/TOOL_RESULTS]` +
      `[TOOL_CALLS] [{"name": "search", "arguments": ${second}, "id": "abcdefghj"}]</s>[TOOL_RESULTS] {"content": "Doc 2", "call_id": "abcdefghj"}[/TOOL_RESULTS] Paris</s>`,
    calls: [`{"name": "search", "arguments": ${first}, "id": "abcdefghi"}`, `{"name": "search", "arguments": ${second}, "id": "abcdefghj"}`],
    results: ['{"content": "Doc 1", "call_id": "abcdefghi"}', '{"content": "Doc 2", "call_id": "abcdefghj"}'],
    messages: [`[TOOL_CALLS] [{"name": "search", "arguments": ${first}}]`, 'Paris'],
  },
  'Mistral, by name': {
    dialect: 'mistral-tools',
    prompt: '<s>[SYSTEM_PROMPT]Be brief.[/SYSTEM_PROMPT][INST]Where?[/INST]',
    rollout:
      `[TOOL_CALLS]search[CALL_ID]abcdefghi[ARGS]${first}</s>[TOOL_RESULTS]Doc 1[/TOOL_RESULTS][TOOL_CALLS]search[ARGS]${second}</s>[TOOL_RESULTS]Doc 2[/TOOL_RESULTS]Paris</s>`,
    calls: [`search[CALL_ID]abcdefghi[ARGS]${first}`, `search[ARGS]${second}`],
    messages: [`[TOOL_CALLS]search[ARGS]${first}`, 'Paris'],
  },
  'Llama 3.1': {
    dialect: 'llama-tools',
    prompt: '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWhere?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    rollout:
      `<|python_tag|>${llama(first)}<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\nDoc 1<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n` +
      `<|python_tag|>search.call(query="second")<|eom_id|><|start_header_id|>ipython<|end_header_id|>\n\nDoc 2<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nParis<|eot_id|>`,
    calls: [llama(first), 'search.call(query="second")'],
    messages: [`<|python_tag|>${llama(first)}`, 'Paris'],
  },
  'Llama 3.2': {
    dialect: 'llama-tools',
    prompt: '<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nWhere?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
    rollout:
      `${llama(first)}<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\nDoc 1<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n` +
      `${llama(second)}<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\nDoc 2<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nParis<|eot_id|>`,
    calls: [llama(first), llama(second)],
    messages: [llama(first), 'Paris'],
  },
};

describe.each(Object.entries(syntaxes))('calls of %s', (_, { dialect, prompt, rollout, calls, results = ['Doc 1', 'Doc 2'], messages: [call, answer] }) => {
  const facts = { question: 'Where?', answers: [], queries: [['first'], ['second']], results, answer: 'Paris' };

  it('a chat in plain text', async () => {
    const t = await one(prompt + rollout, 'chat-text');
    expect([t.dialect, t.text.trimEnd(), gist(t)]).toEqual([dialect, rollout, facts]);
    expect(spans(t)).toEqual(calls.map((one) => [one]));
    expect(codes(t).filter((code) => !/^(?:question-guessed|gold-missing|unpaired-tag)$/.test(code))).toEqual([]);
  });

  it('a rollout in a column, with its prompt before it or in another', async () => {
    for (const row of [{ prompt, response: rollout }, { text: prompt + rollout }]) expect(gist(await one({ ...row, question: 'Where?' }, 'tagged-text'))).toEqual(facts);
    expect(gist(await one({ input: prompt, output: rollout, score: 1 }, 'verl'))).toEqual(facts);
  });

  it('the transcript shows reasoning, calls and answer, and no mark of the format beside them', async () => {
    const lines = shown(await one(prompt + rollout, 'chat-text'));
    expect(lines.filter((line) => /▸ (?:search|call)/.test(line))).toEqual(calls.map((one) => `▸ search: ${one.replaceAll('\n', '↵')}`));
    expect(lines.filter((line) => !/▸ (?:search|think|answer)/.test(line))).toEqual(rollout.startsWith('hm') ? ['▸ text'] : []);
  });

  it('an ATIF document of it reads back, its calls by name', async () => {
    const t = await one(prompt + rollout, 'chat-text');
    const document = atifOf(t);
    const kept = ({ text, turns, final, dialect: id }: Trajectory): object => ({ text, turns, final, id });
    expect(kept(await one(document, 'atif'))).toEqual(kept(t));
    expect(JSON.stringify(document).match(/"function_name":"search"/g)).toHaveLength(2);
  });

  it('a list of messages', async () => {
    const t = await chat(said(call), tool('Doc 1'), said(answer));
    expect([t.dialect, gist(t)]).toMatchObject([dialect, { queries: [['first']], answer: 'Paris' }]);
    expect(t.turns.map(({ result }) => result && textOf(t, result).trim())).toEqual(['Doc 1']);
  });

  it('what others quote is no call', async () => {
    for (const quoted of [user(call), tool(`Doc: ${call}`)]) {
      const t = await chat(said('I see.'), quoted, said('Paris'));
      expect([t.dialect, t.turns.flatMap(({ queries }) => queries), t.final?.answer]).toEqual(['chat-tools', [], 'Paris']);
    }
  });

  it('a document that quotes a call is read whole', async () => {
    const t = await chat(said(call), tool(`Doc: ${call} x`), said(answer));
    expect([gist(t), t.turns.map(({ result }) => result && textOf(t, result).trim())]).toMatchObject([{ queries: [['first']], answer: 'Paris' }, [`Doc: ${call} x`]]);
  });

  it('a rollout that breaks off anywhere is covered', async () => {
    for (let end = 1; end < rollout.length; end += 7) await one({ input: prompt, output: rollout.slice(0, end), score: 1 }, 'verl');
  });
});

it('harmony: words before a call, tools of its own, and a message that is none of the policy’s channels', async () => {
  const t = await chat(
    said('<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>analysis to=browser.search code<|message|>{"query": "first"}<|call|>'),
    tool('Doc 1'),
    said('<|channel|>commentary<|message|>Still at it.<|end|>'),
  );
  expect(gist(t)).toMatchObject({ queries: [['first']], answer: undefined });
  expect(shown(t)[0]).toBe('▸ text');
});

it('several calls of one message are one turn in every syntax', async () => {
  const both = [
    `<|channel|>commentary to=functions.search<|message|>${first}<|call|><|start|>assistant<|channel|>commentary to=functions.search<|message|>${second}<|call|>`,
    `<|tool_calls_section_begin|><|tool_call_begin|>${kimi(0, first)}<|tool_call_end|><|tool_call_begin|>${kimi(1, second)}<|tool_call_end|><|tool_calls_section_end|>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${r1(first)}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>${r1(second)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    `[TOOL_CALLS] [{"name": "search", "arguments": ${first}}, {"name": "search", "arguments": ${second}}]`,
    `[TOOL_CALLS]search[ARGS]${first}[TOOL_CALLS]search[ARGS]${second}`,
  ];
  for (const message of both) expect(gist(await chat(said(message), tool('Doc'), said('Paris')))).toMatchObject({ queries: [['first', 'second']] });
});

it.each([
  ['harmony', (given: string) => `<|channel|>commentary to=functions.final_answer<|message|>${given}<|call|>`],
  ['kimi-tools', (given: string) => inKimi(`functions.final_answer:1<|tool_call_argument_begin|>${given}`)],
  ['deepseek-tools', (given: string) => inDeepSeek(`function<｜tool▁sep｜>final_answer\n\`\`\`json\n${given}\n\`\`\``)],
  ['mistral-tools', (given: string) => `[TOOL_CALLS]final_answer[ARGS]${given}`],
  ['llama-tools', (given: string) => `<|python_tag|>{"name": "final_answer", "parameters": ${given}}`],
])('%s: what a last call of `final_answer` was given is the answer', async (dialect, call) => {
  const t = await chat(said(call(first).replace('final_answer', 'search')), tool('Doc'), said(call('{"answer": "\\"Paris\\""}')), tool('ok'));
  expect([t.dialect, gist(t)]).toMatchObject([dialect, { queries: [['first']], answer: '"Paris"' }]);
  const deep = `{"answer": ${'['.repeat(100_000)}`;
  const broken = await chat(said(call(first).replace('final_answer', 'search')), tool('Doc'), said(call(deep)));
  expect(broken.turns).toHaveLength(2);
});

it('a call that a document of another dialect quotes does not make it one', async () => {
  for (const quoted of Object.values(syntaxes).map(({ messages: [call] }) => call).concat(bash('ls'))) {
    const react = await one({ traj: `Thought 1: hm\nAction 1: Search[first]\nObservation 1: Doc ${quoted}\nThought 2: so\nAction 2: Finish[Paris]\n`, question: 'Where?' }, 'react');
    expect(gist(react)).toMatchObject({ queries: [['first']], answer: 'Paris' });
    const flat = await one({ question: 'Where?', response: `<search>first</search>\n\n<information>${quoted}</information>\n\n<answer>Paris</answer>` }, 'tagged-text');
    expect(gist(flat)).toMatchObject({ queries: [['first']], results: [quoted], answer: 'Paris' });
    const qwen = `<tool_call>\n{"name": "search", "arguments": ${first}}\n</tool_call>`;
    expect((await chat(said(qwen), tool(quoted), said('<answer>Paris</answer>'))).dialect).toBe('qwen-tools');
  }
});

it('SWE-agent: commands in fences are turns where their results say that they were run', async () => {
  const ran = await chat(said('Look.\n```\nls\n```'), user('OBSERVATION:\na.py'), said('```\nsubmit\n```'));
  expect([ran.dialect, gist(ran)]).toMatchObject(['commands', { queries: [['ls'], ['submit']], answer: undefined }]);
  const told = await chat(said('Type\n```\nls\n```'), user('Thanks. OBSERVATION: nice'), said('Welcome.'));
  expect([told.dialect, told.final?.answer]).toEqual(['chat-tools', 'Welcome.']);
});

it('one message in JSON that no tool answers is an answer', async () => {
  const t = await chat(said('I see.'), user('And?'), said(llama(first)));
  expect([t.dialect, t.final?.answer]).toEqual(['chat-tools', llama(first)]);
});

it.each([
  ['calls that break off', `<function=a>\n<parameter=b>`],
  ['names without an end', '<function=a'],
  ['arguments without an end', '<function=a>{'],
  ['values that end and go on', '<function=a>\n<parameter=b></parameter> '],
  ['channels', '<|channel|>analysis<|message|>'],
  ['headers', '<|start|>assistant to=functions.a'],
  ['nested lists', `[TOOL_CALLS] ${'['.repeat(50)}`],
  ['programs', '<|python_tag|>{'],
  ['sections', '<|tool_calls_section_begin|><|tool_call_begin|>'],
])('takes time in proportion to the text: %s', async (_, part) => {
  const started = performance.now();
  await chat(said(bash('ls')), user('ok'), said(part.repeat(Math.ceil(100_000 / part.length))), user('ok'), said(part.repeat(Math.ceil(100_000 / part.length))));
  await one({ input: 'Q', output: part.repeat(Math.ceil(100_000 / part.length)), score: 1 }, 'verl');
  expect(performance.now() - started).toBeLessThan(8_000);
});
