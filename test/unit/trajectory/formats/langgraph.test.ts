import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../../../src/trajectory/model';
import { codes, gist, one, open } from './support';

const human = { type: 'human', content: [{ type: 'text', text: 'Where?' }], id: 'h' };
const ai = (content: unknown, more: object = {}): object => ({ type: 'ai', content, tool_calls: [], invalid_tool_calls: [], ...more });
const calls = (...list: object[]): object => ({ tool_calls: list });
const search = { name: 'search', args: { query: 'first' }, id: 'c1', type: 'tool_call' };
const tool = (id: string, content: string): object => ({ type: 'tool', name: 'search', content, tool_call_id: id });
const messages = [human, ai('', { ...calls(search), additional_kwargs: { reasoning_content: 'hm' } }), tool('c1', 'Doc'), ai('Paris')];
const expected = { question: 'Where?', queries: [['first']], results: ['Doc'], answer: 'Paris' };

describe('threads of LangGraph', () => {
  it.each([
    ['a state', { values: { messages, title: 't' }, next: [], metadata: { step: 3 }, checkpoint: { checkpoint_id: 'x' } }],
    ['a thread', { thread_id: 't', status: 'idle', values: { messages } }],
    ['messages alone', { messages }],
    ['a run of LangSmith', { name: 'agent', run_type: 'chain', inputs: { messages: [human] }, outputs: { messages } }],
    ['with their keys under data', { messages: messages.map(({ type, ...data }: { type?: string }) => ({ type, data })) }],
    [
      'as constructors',
      { messages: messages.map(({ type = '', ...kwargs }: { type?: string }) => ({ lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', { human: 'HumanMessage', ai: 'AIMessageChunk', tool: 'ToolMessage' }[type]], kwargs })) },
    ],
    ['of OpenAI in a state', { values: { messages: [{ role: 'user', content: 'Where?' }, { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: { name: 'search', arguments: '{"query": "first"}' } }] }, { role: 'tool', tool_call_id: 'c1', content: 'Doc' }, { role: 'assistant', content: 'Paris' }] } }],
  ])('%s', async (_, row) => {
    const t = await one(row, 'langgraph');
    expect(gist(t)).toMatchObject(expected);
    expect(codes(t)).toEqual(['text-rendered', 'question-guessed', 'gold-missing']);
  });

  it('a bare list of messages', async () => {
    expect(gist(await one(JSON.stringify(messages, undefined, 1), 'langgraph'))).toMatchObject(expected);
  });

  it('a call that stands in the content too is one call; one that could not be read is kept', async () => {
    const said = ai([{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'Go.' }, { type: 'tool_use', id: 'c1', name: 'search', input: { query: 'first' } }], { ...calls(search), invalid_tool_calls: [{ name: 'visit', args: '{"url": ', id: 'c2' }] });
    const t = await one({ messages: [human, said, tool('c1', 'Doc'), ai('Paris')] }, 'langgraph');
    expect([t.turns[0]?.queries, t.text.startsWith('<think>\nhm\n</think>\n\nGo.')]).toEqual([['first', 'visit {"url": '], true]);
  });
});

describe('the history of a thread', () => {
  const state = (id: string, parent: string | null, at: number, list: readonly object[], more: object = {}): object => ({
    values: { messages: list },
    checkpoint: { checkpoint_id: id, checkpoint_ns: '', ...more },
    parent_checkpoint: parent === null ? null : { checkpoint_id: parent },
    created_at: `2026-01-01T00:00:0${String(at)}Z`,
  });
  const other = [...messages.slice(0, 2), tool('c1', 'Other'), ai('Lyon')];
  const states = [
    state('e', 'b', 5, messages),
    state('s', null, 4, [human, ai('found')], { checkpoint_ns: 'researcher:123' }),
    state('d', 'b', 4, other),
    state('c', 'b', 3, messages.slice(0, 3)),
    state('b', 'a', 2, messages.slice(0, 2)),
    state('a', null, 1, [human]),
  ];
  const lines = (t: Trajectory): unknown => t.sideLines?.map(({ kind, name, turn, trajectory }) => [kind, name, turn, trajectory.final?.answer]);

  it('is one trajectory: its newest state, with abandoned branches and subgraphs beside it', async () => {
    const t = await one(JSON.stringify(states), 'langgraph');
    expect(gist(t)).toMatchObject(expected);
    expect(lines(t)).toEqual([
      ['branch', 'checkpoint d', 1, 'Lyon'],
      ['sub-agent', 'researcher', undefined, 'found'],
    ]);
  });

  it('as the library has it, under config', async () => {
    const config = (id: string | null): object | null => (id === null ? null : { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: id } });
    const t = await one(JSON.stringify([{ values: { messages }, next: [], config: config('e'), parent_config: config('b'), created_at: '2' }, { values: { messages: other }, next: [], config: config('d'), parent_config: config('b'), created_at: '1' }], undefined, 1), 'langgraph');
    expect([gist(t), lines(t)]).toMatchObject([expected, [['branch', 'checkpoint d', 1, 'Lyon']]]);
  });

  it('a thread without a word is a sentence', async () => {
    expect((await open(JSON.stringify({ values: { messages: [human] }, next: [] }))).results).toMatchObject([{ kind: 'problem', message: expect.stringMatching(/no message of an assistant/) as string }]);
    expect(await open('{"values": {"title": "x"}}')).toMatchObject({ format: undefined });
  });
});
