import { describe, expect, it } from 'vitest';
import { readNative } from '../../../../src/trajectory/read';
import type { RecordRange } from '../../../../src/trajectory/records';
import { scanRecords } from '../../../../src/trajectory/scan';
import { ValueScanner } from '../../../../src/trajectory/values';
import { writeNative } from '../../../../src/trajectory/write';
import { bytesSource } from '../support';
import { codes, gist, one, open } from './support';

const call = (id: string, name: string, args: object): object => ({ id, function: name, arguments: args, type: 'function' });
const assistant = (content: unknown, ...calls: object[]): object => ({ role: 'assistant', content, source: 'generate', ...(calls.length > 0 ? { tool_calls: calls } : {}) });
const result = (id: string, content: string, more: object = {}): object => ({ role: 'tool', tool_call_id: id, content, ...more });

const sample = {
  id: 'q1',
  epoch: 1,
  input: 'Which river?',
  target: ['Rhône', 'Saône'],
  messages: [
    { role: 'system', content: 'Be good.' },
    { role: 'user', content: 'Which river?', source: 'input' },
    assistant([{ type: 'reasoning', reasoning: 'hm' }, { type: 'text', text: 'Looking.' }], call('c1', 'search', { query: 'Lyon river' })),
    result('c1', 'The Rhône.'),
    assistant('Rhône'),
  ],
  scores: { match: { value: 'C', answer: 'Rhône' } },
  output: { choices: [{ message: assistant('Rhône'), stop_reason: 'stop' }], completion: 'Rhône' },
};
const read = (more: object): Promise<Awaited<ReturnType<typeof one>>> => one({ ...sample, ...more }, 'inspect');

/** A log with what stands before the samples, and lists that hold none. */
const log = (samples: readonly object[], before: object = {}): string =>
  JSON.stringify({ version: 2, status: 'success', tags: ['a'], eval: { task: 't', dataset: { sample_ids: [1] }, ...before }, results: { scores: [{ name: 'm' }] }, samples, reductions: [{ scorer: 'm', samples: [{ value: 1 }] }] }, undefined, 2);

describe('samples of Inspect', () => {
  it('are read with target, score and group', async () => {
    const t = await read({});
    expect(gist(t)).toEqual({ question: 'Which river?', answers: ['Rhône', 'Saône'], queries: [['Lyon river']], results: ['The Rhône.'], answer: 'Rhône' });
    expect([t.group, t.recorded?.reward, t.recorded?.extra?.['scores']]).toEqual(['sample q1', 1, sample.scores]);
    expect(t.text).toContain('<think>\nhm\n</think>\n\nLooking.\n<tool_call>');
    expect(codes(t)).toEqual(['text-rendered']);
  });

  it('stand in a log beside other lists, however much is said before them', async () => {
    const second = { ...sample, epoch: 2 };
    for (const before of [{}, { note: 'x'.repeat(200_000) }]) {
      const opened = await open(log([sample, second], before));
      expect([opened.format, opened.results.map((each) => each.kind === 'trajectory' && each.trajectory.group)]).toEqual(['inspect', ['sample q1', 'sample q1']]);
    }
    const scan = (most: number): Promise<readonly RecordRange[]> => scanRecords(bytesSource(log([sample, second]), most), new ValueScanner(['{', '['], 'utf-8', 'samples'));
    expect((await scan(Infinity)).length).toBe(2);
    for (const most of [1, 7, 64]) expect(await scan(most)).toEqual(await scan(Infinity));
  });

  it('a log without samples is one sentence', async () => {
    expect(await open(JSON.stringify({ version: 2, status: 'started', eval: {} }))).toMatchObject({ format: undefined, message: expect.stringMatching(/log of Inspect without samples/) as string });
  });

  it('puts attachments back, and says which are not there', async () => {
    const messages = [sample.messages[1], assistant('', call('c1', 'search', { query: 'attachment://a1' })), result('c1', 'tc://b2'), assistant('attachment://c3')];
    const t = await read({ messages, input: 'attachment://b2', attachments: { a1: 'long query', b2: 'long text' } });
    expect(gist(t)).toMatchObject({ question: 'long text', queries: [['long query']], results: ['long text'], answer: 'attachment://c3' });
    expect(t.findings.find(({ code }) => code === 'damaged')?.message).toMatch(/1 reference/);
  });

  it('an answer that is given by a call ends the run: its escapes are read, what the tool said is not', async () => {
    const messages = [...sample.messages.slice(0, 4), assistant('Done.', call('c2', 'submit', { answer: 'The "Rhône"\n' })), result('c2', 'The "Rhône"')];
    const t = await read({ messages });
    expect(gist(t)).toMatchObject({ queries: [['Lyon river']], answer: 'The "Rhône"' });
    expect(codes(t)).toEqual(['text-after-answer', 'text-rendered'].sort().reverse());
    const copy = readNative(writeNative(t));
    expect(copy.kind === 'trajectory' && [copy.trajectory.final, copy.trajectory.turns]).toEqual([t.final, t.turns]);
  });

  it('an answer that was refused is a turn like any other', async () => {
    const messages = [...sample.messages.slice(0, 2), assistant('', call('c1', 'submit', { answer: 'Loire' })), result('c1', 'Wrong.'), assistant('', call('c2', 'submit', { answer: 'Rhône' })), result('c2', 'Right.')];
    const t = await read({ messages });
    expect([t.turns.map(({ ineligible }) => ineligible), t.final?.answer]).toEqual([[undefined], 'Rhône']);
  });

  it('shows why a call failed, as the model was told', async () => {
    const failing = (content: string): Promise<unknown> => read({ messages: [...sample.messages.slice(0, 3), result('c1', content, { error: { type: 'timeout', message: 'Too slow.' } })] }).then(gist);
    expect([await failing(''), await failing('partly'), await failing('Too slow.')]).toMatchObject([{ results: ['Error: Too slow.'] }, { results: ['partly\nError: Too slow.'] }, { results: ['Too slow.'] }]);
  });

  it('calls that the provider ran have their results from an environment', async () => {
    const messages = [sample.messages[1], assistant([{ type: 'text', text: 'Hm.' }, { type: 'tool_use', tool_type: 'web_search', id: 'w', name: 'web_search', arguments: '{"query": "Lyon"}', result: 'Doc' }, { type: 'text', text: 'Rhône' }])];
    expect(gist(await read({ messages }))).toMatchObject({ queries: [['Lyon']], results: ['Doc'], answer: 'Rhône' });
  });

  it.each([
    ['an error', { error: { message: 'boom\nat x' } }, /an error ended it \(boom at x\)/],
    ['a limit', { limit: { type: 'message', limit: 10 } }, /message limit of 10/],
    ['its last message', { output: { choices: [{ stop_reason: 'max_tokens' }] } }, /cut off \(max_tokens\)/],
  ])('says what ended a run before its time: %s', async (_, more, sentence) => {
    const found = (await read(more)).findings.find(({ code }) => code === 'run-truncated');
    expect(found?.message).toMatch(sentence);
  });

  it('says where the stated answer is not shown', async () => {
    expect(codes(await read({ output: { choices: [], completion: 'Loire' } }))).toContain('outcome-not-shown');
  });

  it('an empty target is none', async () => {
    expect([(await read({ target: '' })).answers, codes(await read({ target: '' }))]).toEqual([[], ['text-rendered', 'gold-missing']]);
  });

  it('sub-agents are read out of the events, each beside the turn that called it', async () => {
    const model = (span: string, said: readonly object[], answer: object): object => ({ event: 'model', span_id: span, input: said, output: { choices: [{ message: answer }] } });
    const events = [
      { event: 'span_begin', id: 's0', type: 'agent', name: 'main' },
      model('s0', sample.messages.slice(0, 2), sample.messages[2] ?? {}),
      { event: 'span_begin', id: 's1', parent_id: 's0', type: 'tool', name: 'search' },
      { event: 'tool', id: 'c1', span_id: 's1', function: 'search' },
      { event: 'span_begin', id: 's2', parent_id: 's1', type: 'agent', name: 'researcher' },
      model('s2', [{ role: 'user', content: 'Look.' }], assistant('', call('d1', 'read', { page: 1 }))),
      { event: 'model', span_id: 's2', input: [], input_refs: [[0, 3]], output: { choices: [{ message: assistant('The Rhône.') }] } },
    ];
    const pool = [{ role: 'user', content: 'Look.' }, assistant('', call('d1', 'read', { page: 1 })), result('d1', 'Doc')];
    for (const where of [{ message_pool: pool }, { events_data: { messages: pool, calls: [] } }]) {
      const t = await read({ events, ...where });
      expect(t.sideLines?.map(({ kind, name, turn, trajectory }) => [kind, name, turn, gist(trajectory)])).toMatchObject([['sub-agent', 'researcher', 1, { queries: [['read {"page":1}']], results: ['Doc'], answer: 'The Rhône.' }]]);
    }
  });

  it("the sample's own agent is no sub-agent, though what it submits is rewritten in the messages", async () => {
    const submitted = { ...assistant('Rhône', call('c9', 'submit', { answer: 'Rhône' })), id: 'm4' };
    const messages = [...sample.messages.slice(0, 4), { ...assistant('Rhône\n\nRhône'), id: 'm4' }];
    const events = [
      { event: 'span_begin', id: 's0', type: 'agent', name: 'react' },
      { event: 'model', span_id: 's0', input: messages.slice(0, 4), output: { choices: [{ message: submitted }] } },
    ];
    expect((await read({ messages, events })).sideLines).toBeUndefined();
    const elsewhere = events.map((event) => ('input' in event ? { ...event, output: { choices: [{ message: { ...submitted, id: 'm5' } }] } } : event));
    expect((await read({ messages, events: elsewhere })).sideLines).toHaveLength(1);
  });

  it('an agent that took over was handed its prompt, and belongs to the turn of the call whose event stands right after its span', async () => {
    const handed = [...sample.messages.slice(0, 4), { role: 'user', content: 'Go on.' }];
    const own = assistant('', call('d1', 'read', { page: 1 }));
    const model = (input: readonly object[], message: object): object => ({ event: 'model', span_id: 's2', input, output: { choices: [{ message }] } });
    const events = (tool: object): object[] => [
      { event: 'span_begin', id: 's0', type: 'agent', name: 'main' },
      { event: 'span_begin', id: 's1', parent_id: 's0', type: 'tool', name: 'search' },
      { event: 'tool', id: 'c1', span_id: 's0', function: 'search', ...tool },
      { event: 'span_begin', id: 's2', parent_id: 's1', type: 'agent', name: 'researcher' },
      model(handed, own),
      { event: 'span_begin', id: 's3', parent_id: 's2', type: 'tool', name: 'read' },
      { event: 'tool', id: 'd1', span_id: 's2', function: 'read' },
      model([...handed, own, result('d1', 'Doc')], assistant('Found.')),
    ];
    for (const tool of [{}, { function: 'other', agent_span_id: 's2' }]) {
      const [side, ...more] = (await read({ events: events(tool) })).sideLines ?? [];
      expect([more, side?.name, side?.turn, side && gist(side.trajectory)]).toMatchObject([[], 'researcher', 1, { queries: [['read {"page":1}']], results: ['Doc'], answer: 'Found.' }]);
      expect(side?.trajectory.prompt).toMatchObject({ kind: 'messages', messages: { length: handed.length } });
    }
  });

  it('a pool that is referred to without end is cut, by the sample and its sub-agents together, and says so', async () => {
    const long = { role: 'user', content: 'x'.repeat(1_000_000) };
    const refs = Array.from({ length: 100 }, () => [0, 1]);
    const events = Array.from({ length: 10 }, (_, i) => [
      { event: 'span_begin', id: `s${String(i)}`, type: 'agent', name: 'a' },
      { event: 'model', span_id: `s${String(i)}`, input_refs: refs, output: { choices: [{ message: assistant(String(i)) }] } },
    ]).flat();
    const t = await read({ message_pool: [long, { role: 'user', content: 'x' }, assistant('x')], messages: undefined, message_refs: [[1, 3]], events });
    const [first, ...rest] = (t.sideLines ?? []).map(({ trajectory: { prompt } }) => (prompt.kind === 'messages' ? prompt.messages.length : 0));
    expect([t.final?.answer, first, rest.reduce((sum, n) => sum + n, 0) < 100]).toEqual(['x', 100, true]);
    expect(t.findings.find(({ code }) => code === 'damaged')?.message).toMatch(/9 conversation\(s\) end early/);
  });

  it('a pool of short messages that is referred to without end is cut', async () => {
    const refs = Array.from({ length: 50_000 }, () => [0, 100]);
    const t = await read({ messages: undefined, message_refs: refs, message_pool: Array.from({ length: 100 }, () => assistant('x')) });
    expect(t.text.length).toBeLessThan(1_000_000);
  });

  it('says which attachments of a sub-agent are not there', async () => {
    const events = [{ event: 'span_begin', id: 's', type: 'agent', name: 'a' }, { event: 'model', span_id: 's', input: [{ role: 'user', content: 'attachment://a1' }], output: { choices: [{ message: assistant('attachment://a1') }] } }];
    expect((await read({ events })).findings.find(({ code }) => code === 'damaged')?.message).toMatch(/1 reference/);
  });
});
