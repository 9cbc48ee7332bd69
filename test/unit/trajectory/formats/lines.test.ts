import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/trajectory/model';
import type { Trajectory } from '../../../../src/trajectory/model';
import { codes, gist, one, open } from './support';

const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const told = (t: Trajectory, code: string): string[] => t.findings.filter((finding) => finding.code === code).map(({ message }) => message);

describe('steps, one a line', () => {
  const task = 'You are a clerk. Task: Add the prices.';
  const step = (item: string, result: string, more: object = {}): object => ({ text: `[look({"item": "${item}"}) -> ${result}]`, action: 'tool_call', latency_s: 0.5, task, tool_events: [{ id: '', name: 'look', args: { item }, result, ...more }], schema: 5 });
  const last = { text: '3.50', action: 'synthesis', latency_s: 0.1, task, tool_events: [], schema: 5 };

  it('are one record; what is made of a step\'s calls is not shown twice', async () => {
    const t = await one(lines(step('a', '1'), step('b', '2.5', { result_truncated: true }), last), 'step-trace');
    expect(gist(t)).toEqual({ question: 'Add the prices.', answers: [], queries: [['look {"item":"a"}'], ['look {"item":"b"}']], results: ['1', '2.5'], answer: '3.50' });
    expect([t.recorded?.turns, told(t, 'truncated-observation').length, t.text.includes('->')]).toEqual([{ latency_s: [0.5, 0.5, 0.1] }, 1, false]);
  });

  it('a single one is one too', async () => {
    expect(gist(await one(lines(step('a', '1')), 'step-trace'))).toMatchObject({ queries: [['look {"item":"a"}']] });
  });

  it('actions and observations as texts are commands', async () => {
    const t = await one(lines({ step: 1, episode: 4, question: 'Q?', thought: 'Hm.', action: 'ls', observation: 'a', reward: 0 }, { step: 2, episode: 4, thought: 'So.', action: 'cat a', observation: 'b', reward: 1 }), 'step-trace');
    expect(gist(t)).toEqual({ question: 'Q?', answers: [], queries: [['ls'], ['cat a']], results: ['a', 'b'], answer: undefined });
    expect(t.recorded?.turns).toEqual({ reward: [0, 1] });
  });

  it('actions as objects are calls', async () => {
    const t = await one(lines({ task: 'Q?', action: { tool: 'search', args: { query: 'q' } }, observation: 'D' }, { task: 'Q?', action: 'It is A.', observation: null }), 'step-trace');
    expect(gist(t)).toMatchObject({ queries: [['q']], results: ['D'], answer: 'It is A.' });
  });

  it('an action in words between calls is said', async () => {
    const t = await one(lines({ task: 'Q?', action: { tool: 'search', args: { query: 'q' } }, observation: 'D' }, { task: 'Q?', thought: 'Hm.', action: 'ask the user', observation: 'Go on.' }, { task: 'Q?', thought: 'So.', action: 'It is A.', observation: null }), 'step-trace');
    expect([gist(t), t.text.includes('Hm.\nask the user')]).toMatchObject([{ queries: [['q'], []], results: ['D', 'Go on.'], answer: 'So.\nIt is A.' }, true]);
  });

  it.each([
    ['stands within a word of its thought', 'An apple.', 'A', 'An apple.\nA'],
    ['ends its text', 'So:\nA\n', 'A', 'So:\nA'],
    ['is all that it says', '', 'A', 'A'],
  ])('an action in words that %s is said once', async (_, text, action, answer) => {
    const t = await one(lines({ task: 'Q?', action: { tool: 'search', args: { query: 'q' } }, observation: 'D' }, { task: 'Q?', text, action, observation: null }), 'step-trace');
    expect(t.final?.answer.trim()).toBe(answer);
  });

  it('runs that share a file are told apart', async () => {
    const t = await one(lines(step('a', '1'), { ...step('z', '9'), task: 'Another.' }, step('b', '2')), 'step-trace');
    expect([t.turns.map((turn) => turn.queries[0]), t.sideLines?.map(({ kind, name, trajectory }) => [kind, name, trajectory.question])]).toEqual([['look {"item":"a"}', 'look {"item":"b"}'], [['attempt', 'Another.', 'Another.']]]);
    expect(codes(t)).toContain('other-trajectories');
  });

  it('damaged lines are named and left out; one that breaks off at the end leaves the outcome open', async () => {
    const t = await one(`${lines(step('a', '1'))}{nonsense}\n[1]\n${lines(step('b', '2'))}{"text": "3.`, 'step-trace');
    expect([t.turns.length, t.ending, told(t, 'damaged')]).toEqual([2, 'damaged', [expect.stringMatching(/^Line 2 /), expect.stringMatching(/^Line 3 /), expect.stringMatching(/^Line 5 .*breaks off/)]]);
  });

  it('NUL bytes, NaN and golds that are numbers are read as in any record', async () => {
    const rows = lines(step('a', '1'), { ...last, reward: 0.5, gold: 1 });
    const t = await one(`\0\0${rows.replace('"gold":1', '"gold":1.0').replace('"latency_s":0.1', '"latency_s":NaN')}`, 'step-trace');
    expect([told(t, 'damaged'), t.recorded?.turns]).toEqual([[expect.stringMatching(/NUL/), expect.stringMatching(/NaN/)], { latency_s: [0.5, null], reward: [null, 0.5] }]);
    const golden = lines({ ...step('a', '1'), gold: 1 }, last).replace('"gold":1', '"gold":1.0');
    expect((await one(golden, 'step-trace')).answers).toEqual(['1.0']);
  });

  it.each([
    ['a list of steps', JSON.stringify([step('a', '1'), step('b', '2'), step('c', '3')]).slice(0, -40), 'step-trace', 3],
    ['a list of steps over many lines', JSON.stringify([step('a', '1'), step('b', '2'), last], undefined, 2).slice(0, -20), 'step-trace', 2],
    ['a list of events', JSON.stringify([{ source: 'user', action: 'message', args: { content: 'Q?' } }, { id: 1, source: 'agent', action: 'run', args: { command: 'ls' } }, { id: 2, source: 'agent', observation: 'run', cause: 1, content: 'a' }]).slice(0, -10), 'openhands', 1],
  ])('what breaks off is read up to there: %s', async (_, content, format, turns) => {
    const t = await one(content, format);
    expect([t.turns.length, told(t, 'damaged').length]).toEqual([turns, 1]);
  });

  it('a row that breaks off in its events is read up to there', async () => {
    const row = JSON.stringify({ instance_id: 'x', history: [{ source: 'user', action: 'message', args: { content: 'Q?' } }, { id: 1, source: 'agent', action: 'run', args: { command: 'ls' } }, { id: 2, source: 'agent', observation: 'run', cause: 1, content: 'a' }] });
    const { results } = await open(`${row}\n${row.slice(0, -10)}`);
    expect(results.map((result) => result.kind === 'trajectory' && [result.trajectory.turns.length, told(result.trajectory, 'damaged').length])).toEqual([[1, 0], [1, 1]]);
  });
});

describe('session logs', () => {
  const at = (uuid: string, parentUuid: string | null, role: string, content: unknown, more: object = {}): object => ({ type: role, sessionId: 's', uuid, parentUuid, message: { role, content, ...more }, timestamp: 't' });
  const use = (id: string, command: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command } });
  const result = (id: string, content: string): object => ({ type: 'tool_result', tool_use_id: id, content });
  const asked = at('u1', null, 'user', 'Fix it.');
  const log = [
    { type: 'summary', summary: 'x', leafUuid: 'a3' },
    asked,
    at('a1', 'u1', 'assistant', [{ type: 'thinking', thinking: 'hm' }], { id: 'm1' }),
    at('a2', 'a1', 'assistant', [{ type: 'text', text: 'Look.' }, use('t1', 'ls')], { id: 'm1' }),
    at('r1', 'a2', 'user', [result('t1', 'a')]),
    at('a3', 'a2', 'assistant', [use('t2', 'pwd')], { id: 'm1' }),
    at('r2', 'a3', 'user', [result('t2', '/x')]),
    at('a4', 'r2', 'assistant', [{ type: 'text', text: 'Fixed.' }], { id: 'm2' }),
  ];

  it('blocks of one message are one turn, whatever stands between them', async () => {
    const t = await one(lines(...log), 'session-log');
    expect(gist(t)).toMatchObject({ question: 'Fix it.', queries: [['ls', 'pwd']], results: ['a\n</tool_response>\n<tool_response>\n/x'], answer: 'Fixed.' });
    expect([t.sideLines, codes(t).includes('call-unpaired'), t.recorded?.extra]).toEqual([undefined, false, { sessionId: 's' }]);
  });

  it('what was taken back, and what sub-agents did, stand beside the main line', async () => {
    const side = (uuid: string, parent: string | null, role: string, content: unknown): object => ({ ...at(uuid, parent, role, content), isSidechain: true, agentId: 'x1' });
    const t = await one(
      lines(...log, at('u2', 'a4', 'user', 'Wrong.'), at('a5', 'u2', 'assistant', 'Oh.'), at('u3', 'a4', 'user', 'Thanks.'), at('a6', 'u3', 'assistant', 'Welcome.'), side('s1', null, 'user', 'Look for me.'), side('s2', 's1', 'assistant', 'Found.')),
      'session-log',
    );
    expect([t.turns.length, t.final?.answer, t.text.includes('Oh.')]).toEqual([2, 'Welcome.', false]);
    expect(t.sideLines?.map(({ kind, name, trajectory }) => [kind, name, trajectory.question, trajectory.final?.answer])).toEqual([
      ['branch', 'branch 1', 'Wrong.', 'Oh.'],
      ['sub-agent', 'sub-agent x1', 'Look for me.', 'Found.'],
    ]);
  });

  it('sub-agents without ids are told apart by where they begin', async () => {
    const side = (uuid: string, parent: string | null, role: string, content: unknown): object => ({ ...at(uuid, parent, role, content), isSidechain: true });
    const t = await one(lines(...log, side('s1', null, 'user', 'One?'), side('p1', null, 'user', 'Two?'), side('s2', 's1', 'assistant', 'First.'), side('p2', 'p1', 'assistant', 'Second.')), 'session-log');
    expect(t.sideLines?.map(({ name, trajectory }) => [name, trajectory.question, trajectory.final?.answer])).toEqual([['sub-agent', 'One?', 'First.'], ['sub-agent (2)', 'Two?', 'Second.']]);
  });

  it("a sub-agent's own file is its trajectory", async () => {
    const side = (uuid: string, parent: string | null, role: string, content: unknown): object => ({ ...at(uuid, parent, role, content), isSidechain: true, agentId: 'x1' });
    const t = await one(lines(side('s1', null, 'user', 'Look for me.'), side('s2', 's1', 'assistant', [use('t1', 'ls')]), side('s3', 's2', 'user', [result('t1', 'a')]), side('s4', 's3', 'assistant', 'Found.')), 'session-log');
    expect([gist(t), t.sideLines]).toMatchObject([{ question: 'Look for me.', queries: [['ls']], results: ['a'], answer: 'Found.' }, undefined]);
  });

  it('sub-agents stand at the turn that called them, by id or by what they were asked', async () => {
    const task = (id: string, prompt: string): object => ({ type: 'tool_use', id, name: 'Task', input: { prompt } });
    const side = (uuid: string, parent: string | null, role: string, content: unknown, more: object = {}): object => ({ ...at(uuid, parent, role, content), isSidechain: true, ...more });
    const t = await one(
      lines(
        asked,
        at('a1', 'u1', 'assistant', [use('t1', 'ls')], { id: 'm1' }),
        at('r1', 'a1', 'user', [result('t1', 'a')]),
        at('a2', 'r1', 'assistant', [task('t2', 'One?'), task('t3', 'Two?')], { id: 'm2' }),
        side('s1', null, 'user', 'Reworded.', { agentId: 'x1' }),
        side('s2', 's1', 'assistant', 'First.', { agentId: 'x1' }),
        side('p1', null, 'user', 'Two?'),
        side('p2', 'p1', 'assistant', 'Second.'),
        { ...at('r2', 'a2', 'user', [result('t2', 'First.')]), toolUseResult: { agentId: 'x1' } },
        at('r3', 'a2', 'user', [result('t3', 'Second.')]),
        at('a3', 'r3', 'assistant', 'Fixed.'),
      ),
      'session-log',
    );
    expect(t.sideLines?.map(({ name, turn }) => [name, turn])).toEqual([['sub-agent x1', 2], ['sub-agent', 2]]);
  });

  it('lines that a session repeats when it is taken up again count once', async () => {
    expect(gist(await one(lines(...log, ...log.slice(1, 5)), 'session-log'))).toEqual(gist(await one(lines(...log), 'session-log')));
  });

  it('says where a session was compacted; the summary is no question', async () => {
    const summary = (uuid: string, parent: string | null): object => ({ ...at(uuid, parent, 'user', 'This session goes on.'), isCompactSummary: true });
    const t = await one(lines(...log, summary('c1', null), at('a5', 'c1', 'assistant', 'On.')), 'session-log');
    expect(t.findings.flatMap(({ code, turn }) => (code === 'context-replaced' ? [turn] : []))).toEqual([2]);
    const later = await one(lines(summary('c1', null), at('u1', 'c1', 'user', 'Fix it.'), at('a1', 'u1', 'assistant', 'Fixed.')), 'session-log');
    expect([later.question, codes(later).includes('context-replaced')]).toEqual(['Fix it.', true]);
  });

  it('what the program wrote in the name of the policy is none of its words', async () => {
    const error = (uuid: string): object => ({ ...at(uuid, 'r2', 'assistant', [{ type: 'text', text: 'API Error: 529' }], { model: '<synthetic>' }), isApiErrorMessage: true });
    const t = await one(lines(...log.slice(0, 7), error('e1'), ...log.slice(7)), 'session-log');
    expect([t.final?.answer, t.text.includes('API Error'), codes(t).includes('no-model-call'), codes(t).includes('run-truncated')]).toEqual(['Fixed.', false, true, false]);
    const failed = await one(lines(...log.slice(0, 7), error('e1')), 'session-log');
    expect([failed.final, told(failed, 'run-truncated')]).toEqual([undefined, [expect.stringMatching(/API Error: 529/)]]);
  });

  it('are told behind a first line that says nothing and a long second one', async () => {
    const spaced = `{ "type": "file-history-snapshot", "snapshot": {} }\n${lines({ ...asked, message: { role: 'user', content: 'x'.repeat(100_000) } }, ...log.slice(2))}`;
    expect((await one(spaced, 'session-log')).final?.answer).toBe('Fixed.');
  });

  it('a call at the end', async () => {
    expect(told(await one(lines(...log.slice(0, 4)), 'session-log'), 'run-truncated')).toEqual([expect.stringMatching(/a call that nothing answered/)]);
  });

  it('lines of wrong types do not stop the others', async () => {
    const t = await one(lines({ ...asked, sessionId: 3 }, { type: 'user', sessionId: 's', message: 'x' }, at('u', null, 'user', 12), at('v', null, 'user', null), at('w', null, 'assistant', 'Yes.')), 'session-log');
    expect(gist(t)).toMatchObject({ question: 'Fix it.', answer: 'Yes.' });
  });

  it('without a word of the policy it is no trajectory', async () => {
    expect(await open(lines(asked))).toMatchObject({ format: undefined, message: expect.stringMatching(/no assistant/) as string });
  });
});

describe('sessions of Gemini CLI', () => {
  const about = { sessionId: 's', projectHash: 'h', startTime: 't', kind: 'main' };
  const asked = { id: 'm1', type: 'user', content: [{ text: 'Which river?' }] };
  const given = (id: string, response: object): object => ({ functionResponse: { id, name: 'x', response } });
  const calls = [
    { id: 'c1', name: 'google_web_search', args: { query: 'first' }, result: [given('c1', { output: 'Doc' })], status: 'success' },
    { id: 'c2', name: 'read_file', args: { path: '/x' }, result: [given('c2', { error: 'No such file' })], status: 'error' },
  ];
  const searched = { id: 'm2', type: 'gemini', content: 'Looking.', thoughts: [{ subject: 'Plan', description: 'hm' }], toolCalls: calls };
  const answered = { id: 'm3', type: 'gemini', content: 'The Rhône.', thoughts: [], tokens: null };
  const expected = { question: 'Which river?', queries: [['first', 'read_file {"path":"/x"}']], results: ['Doc\n</tool_response>\n<tool_response>\nNo such file'], answer: 'The Rhône.' };

  it.each([
    ['a document', JSON.stringify({ ...about, messages: [{ id: 'm0', type: 'info', content: 'Update available.' }, asked, searched, answered] })],
    ['a document on many lines', JSON.stringify({ ...about, messages: [asked, searched, answered] }, undefined, 2)],
    ['lines', lines(about, asked, { ...searched, toolCalls: [] }, searched, { $set: { lastUpdated: 't' } }, answered)],
    ['lines, a long one first', lines(about, { id: 'm0', type: 'info', content: 'x'.repeat(100_000) }, asked, searched, answered)],
  ])('%s', async (_, content) => {
    const t = await one(content, 'gemini-log');
    expect(gist(t)).toMatchObject(expected);
    expect([textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 }).trim(), codes(t).includes('call-unpaired'), t.recorded?.extra?.['sessionId'], t.sideLines]).toEqual(['Plan\nhm', false, 's', undefined]);
  });

  it('what was taken back stands beside the main line', async () => {
    const wrong = [{ id: 'w1', type: 'user', content: 'Which lake?' }, { id: 'w2', type: 'gemini', content: 'Geneva.' }];
    for (const back of [{ $rewindTo: 'w1' }, { $set: { messages: [asked, searched] } }]) {
      const t = await one(lines(about, asked, searched, ...wrong, back, answered), 'gemini-log');
      expect([gist(t), t.sideLines?.map(({ kind, trajectory }) => [kind, trajectory.question, trajectory.final?.answer])]).toMatchObject([expected, [['branch', 'Which lake?', 'Geneva.']]]);
    }
  });

  it('says what it was cut off by', async () => {
    expect(told(await one(lines(about, asked, searched, { id: 'e', type: 'error', content: '[API Error: 429]' }), 'gemini-log'), 'run-truncated')).toEqual([expect.stringMatching(/429/)]);
    const open = { ...searched, toolCalls: [{ id: 'c1', name: 'x', args: {}, status: 'cancelled', result: null }] };
    expect(told(await one(lines(about, asked, open), 'gemini-log'), 'run-truncated')).toEqual([expect.stringMatching(/a call that nothing answered/)]);
  });

  it('what is of other types is left out', async () => {
    const t = await one(lines(about, { ...asked, content: 3 }, asked, { id: 4, type: 'gemini' }, { ...searched, thoughts: 'x', toolCalls: [null, ...calls] }, { $rewindTo: 5 }, { $set: [] }, answered), 'gemini-log');
    expect(gist(t)).toMatchObject(expected);
  });
});

describe('logs of items, events and messages', () => {
  const call = { type: 'function_call', name: 'shell', arguments: '{"command":["bash","-lc","ls"]}', call_id: 'c1' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a' };
  const said = (role: string, text: string): object => ({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
  const expected = { question: 'Fix it.', queries: [['bash -lc ls']], results: ['a'], answer: 'Fixed.' };

  it('items of the Responses API, in envelopes', async () => {
    const enveloped = (payload: object, type = 'response_item'): object => ({ timestamp: 't', type, payload });
    const t = await one(
      lines(enveloped({ id: 'x', cwd: '/x', instructions: 'Be good.' }, 'session_meta'), enveloped(said('user', '<environment_context>x</environment_context>')), enveloped(said('user', 'Fix it.')), enveloped({ type: 'user_message', message: 'Fix it.' }, 'event_msg'), enveloped(call), enveloped(output), enveloped(said('assistant', 'Fixed.'))),
      'codex-log',
    );
    expect(gist(t)).toMatchObject(expected);
    expect(t.prompt).toMatchObject({ messages: [{ role: 'system', content: 'Be good.' }, { role: 'user' }, { role: 'user' }] });
  });

  it.each([
    ['a line of its own', { timestamp: 't', type: 'compacted', payload: { message: 'So far.' } }],
    ['an item', { timestamp: 't', type: 'response_item', payload: { type: 'compaction', encrypted_content: 'x' } }],
  ])('say where a session was compacted: %s', async (_, compacted) => {
    const enveloped = (payload: object): object => ({ timestamp: 't', type: 'response_item', payload });
    const t = await one(lines(...[said('user', 'Fix it.'), call, output].map(enveloped), compacted, enveloped(said('assistant', 'Fixed.'))), 'codex-log');
    expect([gist(t), t.findings.flatMap(({ code, turn }) => (code === 'context-replaced' ? [turn] : []))]).toMatchObject([expected, [1]]);
  });

  describe('what the user undid', () => {
    const enveloped = (payload: object, type = 'response_item'): object => ({ timestamp: 't', type, payload });
    const undo = (turns: unknown): object => enveloped({ type: 'thread_rolled_back', num_turns: turns }, 'event_msg');
    const [context, asked, answered] = [said('user', '<environment_context>x</environment_context>'), said('user', 'Fix it.'), said('assistant', 'Fixed.')].map((item) => enveloped(item));
    const wrong = [said('user', 'Break it.'), { ...call, call_id: 'c2', arguments: '{"command":["rm","a"]}' }, { ...output, call_id: 'c2', output: 'gone' }, said('assistant', 'Broken.')].map((item) => enveloped(item));
    const right = [...[call, output].map((item) => enveloped(item)), answered];
    const sides = (t: Trajectory): object[] => (t.sideLines ?? []).map(({ kind, name, trajectory }) => ({ kind, name, question: trajectory.question, answer: trajectory.final?.answer }));
    const branch = { kind: 'branch', name: 'branch 1', question: 'Break it.', answer: 'Broken.' };

    it.each<[string, readonly (object | undefined)[], readonly object[]]>([
      ['the last turn', [context, asked, ...right, ...wrong, undo(1)], [branch]],
      ['a turn before the one that stands', [context, ...wrong, undo(1), asked, ...right], [branch]],
      ['two turns at once', [context, ...wrong, ...wrong, undo(2), asked, ...right], [branch]],
      ['one after the other', [context, ...wrong, undo(1), ...wrong, undo(1), asked, ...right], [branch, { ...branch, name: 'branch 2' }]],
      ['a turn in which the policy said nothing', [context, asked, undo(1), asked, ...right], []],
      ['more than there are, or none', [context, ...wrong, undo(9), asked, ...right, undo(0), undo('x'), undo(-1)], [branch]],
    ])('stands beside the main line: %s', async (_, rows, branches) => {
      const t = await one(lines(...rows.flatMap((row) => row ?? [])), 'codex-log');
      expect([gist(t), sides(t)]).toMatchObject([expected, branches]);
      expect(t.text).not.toContain('Broken.');
      expect(codes(t).includes('other-trajectories')).toBe(branches.length > 0);
    });

    it('is shown where nothing else is left, and says so', async () => {
      const t = await one(lines(...[context, ...wrong, undo(1)].flatMap((row) => row ?? [])), 'codex-log');
      expect([t.final?.answer, told(t, 'other-trajectories')]).toEqual(['Broken.', [expect.stringContaining('The user undid all')]]);
    });
  });

  it('items of the Responses API, bare', async () => {
    expect(gist(await one(lines({ id: 'x', timestamp: 't', instructions: null }, { record_type: 'state' }, said('user', 'Fix it.'), call, output, said('assistant', 'Fixed.')), 'codex-log'))).toMatchObject(expected);
  });

  it('tools of other kinds are called too', async () => {
    const t = await one(lines({ record_type: 'state' }, said('user', 'Fix it.'), { type: 'custom_tool_call', name: 'apply_patch', input: '*** x', call_id: 'c1' }, { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' }, { type: 'web_search_call', action: { type: 'search', query: 'q' } }, said('assistant', 'Fixed.')), 'codex-log');
    expect(t.turns.map((turn) => turn.queries)).toEqual([['apply_patch {"input":"*** x"}'], ['q']]);
    expect([t.turns[1]?.ineligible, t.final?.answer]).toEqual(['empty observation', 'Fixed.']);
  });

  it('events by their record type: a burst of calls is one action', async () => {
    const event = (sequence: number, kind: string, more: object, trajectory_id = 'r1'): object => ({ record_type: 'event', id: `e${String(sequence)}${trajectory_id}`, trajectory_id, sequence, kind, ...more });
    const tool = (sequence: number, query: string): object => event(sequence, 'tool', { input: { name: 'search', arguments: { query } }, output: { ok: query } });
    const t = await one(
      lines(
        { record_type: 'run', id: 'x' },
        { record_type: 'case', id: 'c', name: 'Which one?' },
        { record_type: 'trajectory', id: 'r1', group_id: 'g', status: 'completed', termination: 'max_turns' },
        event(1, 'generation', { output: { role: 'assistant', content: 'Look.' } }),
        tool(3, 'b'),
        tool(2, 'a'),
        event(4, 'observation', { data: { found: 1 } }),
        event(5, 'generation', { output: { role: 'assistant', content: 'This one.' } }),
        event(6, 'generation', { output: 'Other.' }, 'r2'),
        { record_type: 'signal', trajectory_id: 'r1', name: 'reward', value: 0.9 },
      ),
      'event-log',
    );
    expect(gist(t)).toMatchObject({ question: 'Which one?', queries: [['a', 'b']], answer: 'This one.' });
    expect([t.group, t.recorded?.reward, told(t, 'run-truncated').length, t.sideLines?.map(({ name, trajectory }) => [name, trajectory.final?.answer])]).toEqual(['g', 0.9, 1, [['r2', 'Other.']]]);
  });

  it('messages', async () => {
    const t = await one(lines({ role: 'user', content: 'Where?' }, { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'search', arguments: '{"query": "q"}' } }] }, { role: 'tool', tool_call_id: 'c', content: 'D' }, { role: 'assistant', content: 'A' }), 'message-list');
    expect(gist(t)).toMatchObject({ question: 'Where?', queries: [['q']], results: ['D'], answer: 'A' });
  });

  it.each([
    ['rows', lines({ input: 'user\nq\nassistant\n', output: 'a', score: 1 }, { input: 'user\nr\nassistant\n', output: 'b', score: 1 }), 'verl', 2],
    ['chats', lines({ messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' }] }, { messages: [{ role: 'user', content: 'r' }, { role: 'assistant', content: 'b' }] }), 'messages', 2],
  ])('a line that is a rollout of its own stays one: %s', async (_, content, format, count) => {
    const opened = await open(content);
    expect([opened.format, opened.results.length]).toEqual([format, count]);
  });
});
