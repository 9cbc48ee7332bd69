import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../../../src/trajectory/model';
import { textOf } from '../../../../src/trajectory/model';
import { codes, gist, one, open } from './support';

const told = (t: Trajectory, code: string): string[] => t.findings.filter((finding) => finding.code === code).map(({ message }) => message);
const response = (id: string, name: string, args: object): object => ({
  function_name: name,
  tool_call_id: id,
  model_response: { choices: [{ message: { role: 'assistant', content: 'So.', tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] } }] },
});

describe('OpenHands, events of 0.x', () => {
  const user = { id: 0, timestamp: 't', source: 'user', message: 'Do it.', action: 'message', args: { content: 'Do it.', image_urls: null } };
  const run = { id: 2, timestamp: 't', source: 'agent', message: 'Running', action: 'run', args: { command: 'ls', thought: 'So.', is_input: false }, tool_call_metadata: response('c1', 'execute_bash', { command: 'ls' }) };
  const ran = { id: 3, timestamp: 't', source: 'agent', cause: 2, observation: 'run', content: 'a', extras: { command: 'ls' }, tool_call_metadata: { tool_call_id: 'c1' } };
  const state = { id: 4, timestamp: 't', source: 'environment', observation: 'agent_state_changed', content: '', extras: { agent_state: 'finished' } };
  const finish = { id: 5, timestamp: 't', source: 'agent', message: 'All done.', action: 'finish', args: { final_thought: 'All done.', outputs: {}, thought: '' } };
  const events = [user, state, run, ran, state, finish, state];
  const whole = { question: 'Do it.', queries: [['ls']], results: ['a'], answer: 'All done.' };

  it.each([
    ['a list of them', JSON.stringify(events, undefined, 1)],
    ['one a line', `${events.map((event) => JSON.stringify(event)).join('\n')}\n`],
    ['an exported conversation', { trajectory: events }],
    ['an evaluation', { instance_id: 'x', history: events, test_result: {} }],
    ['an older evaluation, in pairs', { instance_id: 'x', history: [[user, null], [run, ran], [finish, state]], test_result: {} }],
  ])('%s', async (_, content) => {
    const t = await one(content, 'openhands');
    expect(gist(t)).toMatchObject(whole);
    expect(textOf(t, t.turns[0]?.policy ?? { start: 0, end: 0 })).toBe('So.\n<tool_call>\n{"name":"execute_bash","arguments":{"command":"ls"}}\n</tool_call><|im_end|>');
    expect(codes(t).filter((code) => /run|outcome|unpaired/.test(code))).toEqual([]);
  });

  it('without the model\'s response, the action is the call', async () => {
    const bare = { ...run, tool_call_metadata: undefined, action: 'edit', args: { path: '/x', content: 'y', thought: 'T', impl_source: 'oh' } };
    const t = await one(JSON.stringify([user, bare, { ...ran, tool_call_metadata: undefined }]), 'openhands');
    expect(gist(t)).toMatchObject({ queries: [['edit {"path":"/x","content":"y"}']], results: ['a'], answer: undefined });
    expect(codes(t)).not.toContain('call-unpaired');
  });

  it('an evaluation: task, gold, group, what it was worth', async () => {
    const row = { instance_id: 'g1', instruction: 'Go.\n<issue_description>\nIt breaks.\n</issue_description>', metadata: { max_iterations: 3 }, history: events, test_result: { score: true, ground_truth: '42' }, metrics: { accumulated_cost: 0.1 }, error: null };
    const t = await one(row, 'openhands');
    expect([t.question, t.answers, t.group, t.recorded?.extra?.['metrics']]).toEqual(['It breaks.', ['42'], 'g1', { accumulated_cost: 0.1 }]);
  });

  it('what another agent did for this one is a side line', async () => {
    const delegate = { id: 6, source: 'agent', action: 'delegate', args: { agent: 'BrowsingAgent', inputs: { task: 'look' }, thought: 'Ask.' } };
    const back = { id: 9, source: 'agent', cause: 6, observation: 'delegate', content: 'found', extras: {} };
    const t = await one(JSON.stringify([user, delegate, { ...run, source: 'agent' }, ran, back, finish]), 'openhands');
    expect(gist(t)).toMatchObject({ queries: [[expect.stringMatching(/^delegate/)]], results: ['found'], answer: 'All done.' });
    expect(t.sideLines?.map(({ kind, name, turn, trajectory }) => [kind, name, turn, trajectory.turns[0]?.queries])).toEqual([['sub-agent', 'BrowsingAgent', 1, ['ls']]]);
  });

  it('an agent that another one called calls agents too', async () => {
    const asks = (agent: string): object => ({ source: 'agent', action: 'delegate', args: { agent, thought: '' } });
    const back = (content: string): object => ({ source: 'agent', observation: 'delegate', content, extras: {} });
    const t = await one(JSON.stringify([user, run, ran, asks('A'), run, ran, asks('B'), run, ran, back('of B'), run, ran, back('of A'), finish]), 'openhands');
    const lines = (of: Trajectory): unknown => of.sideLines?.map(({ name, turn, trajectory }) => [name, turn, trajectory.turns.length, lines(trajectory)]);
    expect([t.turns.length, t.final?.answer, lines(t)]).toEqual([2, 'All done.', [['A', 2, 3, [['B', 2, 1, undefined]]]]]);
  });

  it('delegations without results, however many', async () => {
    const delegate = { source: 'agent', action: 'delegate', args: { agent: 'A' } };
    const t = await one(JSON.stringify([user, ...Array.from({ length: 30_000 }, () => delegate)]), 'openhands');
    const depth = (of: Trajectory): number => (of.sideLines?.[0] === undefined ? 0 : 1 + depth(of.sideLines[0].trajectory));
    expect(depth(t)).toBe(8);
    const last = (of: Trajectory): Trajectory => (of.sideLines?.[0] === undefined ? of : last(of.sideLines[0].trajectory));
    expect(told(last(t), 'other-trajectories')).toEqual(['1 delegation(s) stand too deep within others; they are left out.']);
  });

  it('a run that ends without a word is not cut off', async () => {
    const silent = { ...finish, message: '', args: { final_thought: '', outputs: {}, thought: '' } };
    const t = await one(JSON.stringify([user, run, ran, silent, state]), 'openhands');
    expect([gist(t), codes(t).filter((code) => /run|unpaired/.test(code))]).toMatchObject([{ queries: [['ls'], [expect.stringMatching(/^finish/)]], answer: undefined }, []]);
  });

  it.each([
    ['an error of the harness', { history: [user, run, ran], error: 'RuntimeError: Agent reached maximum iteration.' }, 'run-truncated', /maximum iteration/],
    ['a state of the agent', { history: [user, run, ran, { ...state, extras: { agent_state: 'error', reason: 'AgentStuckInLoopError' } }] }, 'run-truncated', /Stuck/],
    ['a call at the end', { history: [user, run] }, 'run-truncated', /a call that nothing answered/],
    ['resolved without a patch', { history: events, test_result: { git_patch: ' ', report: { resolved: true } } }, 'outcome-not-shown', /no patch/],
  ])('says what the file claims and its events do not show: %s', async (_, row, code, message) => {
    expect(told(await one({ instance_id: 'x', ...row }, 'openhands'), code)).toEqual([expect.stringMatching(message)]);
  });
});

describe('OpenHands, events of its agent SDK', () => {
  const text = (said: string): object[] => [{ type: 'text', text: said }];
  const events = [
    { kind: 'SystemPromptEvent', source: 'agent', system_prompt: { type: 'text', text: 'Be good.' }, tools: [] },
    { kind: 'MessageEvent', source: 'user', llm_message: { role: 'user', content: text('Do it.') } },
    { kind: 'ConversationStateUpdateEvent', key: 'x', value: 1 },
    { kind: 'ActionEvent', source: 'agent', thought: text('So.'), reasoning_content: 'hm', action: { kind: 'TerminalAction', command: 'ls' }, tool_name: 'terminal', tool_call_id: 'c1', tool_call: { id: 'c1', name: 'terminal', arguments: '{"command": "ls"}', origin: 'completion' } },
    { kind: 'ActionEvent', source: 'agent', thought: [], action: { kind: 'FileEditorAction', command: 'view', path: '/x' }, tool_name: 'file_editor', tool_call_id: 'c2' },
    { kind: 'ObservationEvent', source: 'environment', tool_name: 'terminal', tool_call_id: 'c1', observation: { kind: 'TerminalObservation', content: text('a') } },
    { kind: 'AgentErrorEvent', source: 'agent', tool_name: 'file_editor', tool_call_id: 'c2', error: 'No such file' },
    { kind: 'ActionEvent', source: 'agent', thought: [], action: { kind: 'FinishAction', message: 'All done.' }, tool_name: 'finish', tool_call_id: 'c3' },
    { kind: 'ObservationEvent', source: 'environment', tool_name: 'finish', tool_call_id: 'c3', observation: { kind: 'FinishObservation', content: text('All done.') } },
  ];

  it.each([
    ['a list', JSON.stringify(events)],
    ['one a line', `${events.map((event) => JSON.stringify(event)).join('\n')}\n`],
    ['an evaluation', { instance_id: 'x', instance: { problem_statement: 'Do it.' }, history: events, test_result: {} }],
  ])('%s', async (_, content) => {
    const t = await one(content, 'openhands');
    expect(gist(t)).toMatchObject({ question: 'Do it.', queries: [['ls', 'file_editor {"command":"view","path":"/x"}']], results: ['a\n</tool_response>\n<tool_response>\nNo such file'], answer: 'All done.' });
    expect(textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 }).trim()).toBe('hm');
    expect([t.prompt, codes(t).includes('call-unpaired')]).toMatchObject([{ kind: 'messages', messages: [{ role: 'system', content: 'Be good.' }, { role: 'user', content: 'Do it.' }] }, false]);
  });

  describe('as a tree', () => {
    const named = events.map((event, i) => ({ ...event, id: `e${i}`, parent_id: i === 0 ? null : `e${i - 1}` }));
    const again = { kind: 'MessageEvent', source: 'user', id: 'f0', parent_id: 'e6', llm_message: { role: 'user', content: text('Now do that.') } };
    const other = { ...events[7], id: 'f1', parent_id: 'f0', action: { kind: 'FinishAction', message: 'That is done.' } };
    const sides = (t: Trajectory): object[] => (t.sideLines ?? []).map(({ kind, name, trajectory }) => ({ kind, name, answer: trajectory.final?.answer }));

    it.each<[string, object, string, readonly string[]]>([
      ['a line alone', named, 'All done.', []],
      ['one that was left for another', [...named, again, other], 'That is done.', ['All done.']],
      ['one that the conversation came back to', { history: [...named, again, other], leaf_event_id: 'e8' }, 'All done.', ['That is done.']],
      ['two of them', [...named, again, other, { ...again, id: 'g0' }, { ...other, id: 'g1', parent_id: 'g0' }], 'That is done.', ['All done.', 'That is done.']],
      ['parents that are not there, or come later', named.map((event, i) => (i === 5 ? { ...event, parent_id: 'x' } : i === 6 ? { ...event, parent_id: 'e8' } : event)), 'All done.', []],
    ])('%s', async (_, content, answer, left) => {
      const t = await one(JSON.stringify(content), 'openhands');
      expect(t.final?.answer).toBe(answer);
      expect(gist(t)).toMatchObject({ question: 'Do it.', queries: [['ls', 'file_editor {"command":"view","path":"/x"}']] });
      expect(sides(t)).toEqual(left.map((said, i) => ({ kind: 'branch', name: `branch ${i + 1}`, answer: said })));
    });
  });

  it.each([
    ['without a word', [], '', undefined],
    ['with its thought alone', text('It is done.'), ' ', 'It is done.'],
  ])('a run that ends %s is not cut off', async (_, thought, message, answer) => {
    const silent = { ...events[7], thought, action: { kind: 'FinishAction', message } };
    for (const after of [events.slice(8), []]) {
      const t = await one(JSON.stringify([...events.slice(0, 7), silent, ...after]), 'openhands');
      expect([t.final?.answer, codes(t).filter((code) => /run|unpaired/.test(code))]).toEqual([answer, []]);
    }
  });

  it('what is said beside the last message is its thought', async () => {
    const t = await one(JSON.stringify([...events.slice(0, 7), { ...events[7], thought: text('Checked.') }]), 'openhands');
    expect([t.final?.answer, textOf(t, t.final?.think ?? { start: 0, end: 0 }).trim()]).toEqual(['All done.', 'Checked.']);
  });

  it('what skills and hooks add to prompt, message and observation is read', async () => {
    const [system, user, , run, , ran] = events;
    const t = await one(JSON.stringify([{ ...system, dynamic_context: { type: 'text', text: 'Today.' } }, { ...user, extended_content: text('Skill.') }, run, { ...ran, extended_content: text('Hook.') }, events[7]]), 'openhands');
    expect([t.prompt, gist(t)]).toMatchObject([{ messages: [{ content: 'Be good.\nToday.' }, { content: 'Do it.\nSkill.' }] }, { results: ['a\nHook.'] }]);
  });

  it('calls behind the Agent Client Protocol stand where they began, with what came of them', async () => {
    const served = (id: string, more: object): object => ({ kind: 'ACPToolCallEvent', source: 'agent', tool_call_id: id, title: 'Read x', raw_input: { path: '/x' }, ...more });
    const said = { kind: 'MessageEvent', source: 'agent', llm_message: { role: 'assistant', content: text('Done.') } };
    const t = await one(JSON.stringify([...events.slice(0, 2), served('a1', { status: 'in_progress' }), served('a1', { status: 'completed', raw_output: 'Doc' }), said]), 'openhands');
    expect(gist(t)).toMatchObject({ queries: [['Read x {"path":"/x"}']], results: ['Doc'], answer: 'Done.' });
    expect(told(await one(JSON.stringify([...events.slice(0, 2), served('a1', { status: 'in_progress' })]), 'openhands'), 'run-truncated')).toHaveLength(1);
  });

  it.each([
    ['the agent SDK', [...events.slice(0, 7), { kind: 'Condensation', source: 'environment', forgotten_event_ids: ['x'], summary: 'So far.' }, events[7]]],
    ['0.x', [{ source: 'user', action: 'message', args: { content: 'Do it.' } }, { id: 1, source: 'agent', action: 'run', args: { command: 'ls' } }, { cause: 1, source: 'agent', observation: 'run', content: 'a' }, { source: 'agent', action: 'condensation', args: { summary: 'So far.' } }, { source: 'agent', action: 'finish', args: { final_thought: 'All done.' } }]],
  ])('says where the history was condensed: %s', async (_, list) => {
    const t = await one(JSON.stringify(list), 'openhands');
    expect(t.findings.flatMap(({ code, turn }) => (code === 'context-replaced' ? [turn] : []))).toEqual([1]);
  });

  it('stopped by an error of the conversation', async () => {
    const t = await one(JSON.stringify([...events.slice(0, 7), { kind: 'ConversationErrorEvent', code: 'MaxIterationsReached', detail: 'Agent reached maximum iterations limit (30).' }]), 'openhands');
    expect(told(t, 'run-truncated')).toEqual([expect.stringMatching(/maximum iterations/)]);
  });
});

describe('τ-bench', () => {
  const call = (id: string, name: string, args: object): object => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
  const traj = [
    { role: 'system', content: 'Policy.' },
    { role: 'user', content: 'Book me.' },
    { role: 'assistant', content: 'Let me look.\n\n<function_calls>\n<invoke name="get_user">\n</invoke>\n</function_calls>', tool_calls: [call('0', 'get_user', { id: 'u' })] },
    { role: 'tool', tool_call_id: '0', name: 'get_user', content: '{"name": "U"}' },
    { role: 'assistant', content: 'Booked.', tool_calls: null },
    { role: 'user', content: '###STOP###' },
  ];
  const result = { task_id: 3, reward: 1, info: { task: { user_id: 'u', instruction: 'You want a flight.', actions: [], outputs: [] }, user_cost: 0.1 }, traj, trial: 0 };

  it('results in a list: the instruction is the question, the reward no gold', async () => {
    const { format, results } = await open(JSON.stringify([result, { task_id: 4, reward: 0, info: { error: 'Rate limit', traceback: 'x' }, traj: [], trial: 0 }], undefined, 2));
    const [first, failed] = results;
    if (first?.kind !== 'trajectory') throw new Error('not read');
    const { trajectory: t } = first;
    expect([format, gist(t)]).toEqual(['tau-bench', { question: 'You want a flight.', answers: [], queries: [['get_user {"id":"u"}']], results: ['{"name": "U"}'], answer: 'Booked.' }]);
    expect([t.recorded?.reward, t.group, t.text.includes('###STOP###'), t.text.includes('invoke')]).toEqual([1, 'task 3', false, false]);
    expect(codes(t)).toContain('text-after-answer');
    expect(failed).toMatchObject({ kind: 'problem', message: expect.stringMatching(/Rate limit/) as string });
  });

  it('agents without function calls: a call in JSON, `respond` speaks', async () => {
    const acted = (name: string, args: object): object => ({ role: 'assistant', content: `Thought:\nHm.\nAction:\n${JSON.stringify({ name, arguments: args })}` });
    const t = await one({ ...result, traj: [...traj.slice(0, 2), acted('get_user', { id: 'u' }), { role: 'user', content: 'API output: {}' }, acted('respond', { content: 'Booked.' }), { role: 'user', content: '###STOP###' }] }, 'tau-bench');
    expect(gist(t)).toMatchObject({ queries: [['get_user {"id":"u"}']], results: ['{}'], answer: 'Booked.' });
  });

  it('rewarded, though it was cut off', async () => {
    const t = await one({ ...result, traj: traj.slice(0, 4) }, 'tau-bench');
    expect([told(t, 'run-truncated'), told(t, 'outcome-not-shown')]).toEqual([[expect.stringMatching(/before the policy spoke again/)], [expect.stringMatching(/whole reward/)]]);
  });

  const simulation = {
    id: 's1', task_id: '7', termination_reason: 'user_stop', reward_info: { reward: 0.5 }, trial: 0,
    messages: [
      { role: 'assistant', content: 'Hi! How can I help you today?', turn_idx: 0 },
      { role: 'user', content: 'Book me.', turn_idx: 1 },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'get_user', arguments: { id: 'u' }, requestor: 'assistant' }] },
      { id: 'c1', role: 'tool', content: '{}', requestor: 'assistant', error: false },
      { role: 'user', content: null, tool_calls: [{ id: 'c2', name: 'toggle', arguments: {}, requestor: 'user' }] },
      { id: 'c2', role: 'tool', content: 'toggled', requestor: 'user' },
      { role: 'assistant', content: 'Booked.' },
      { role: 'user', content: 'Thanks ###STOP###' },
    ],
  };

  it.each([
    ['tasks before simulations', (tasks: object) => ({ timestamp: 't', info: { num_trials: 1 }, tasks, simulations: [simulation, simulation] })],
    ['simulations before tasks', (tasks: object) => ({ info: {}, simulations: [simulation, simulation], tasks, 'simulations ': [] })],
  ])('τ²-bench: %s', async (_, file) => {
    for (const tasks of [[{ id: '7', description: { purpose: 'x' } }], Array.from({ length: 900 }, (_item, i) => ({ id: String(i), notes: 'x'.repeat(100) }))]) {
      const { format, results } = await open(JSON.stringify(file(tasks), undefined, 2));
      expect([format, results.length]).toEqual(['tau-bench', 2]);
      const [first] = results;
      if (first?.kind !== 'trajectory') throw new Error('not read');
      expect(gist(first.trajectory)).toEqual({ question: 'Book me.', answers: [], queries: [['get_user {"id":"u"}']], results: ['{}'], answer: 'Booked.' });
      expect([first.trajectory.recorded?.reward, first.trajectory.prompt]).toMatchObject([0.5, { messages: [{ role: 'assistant' }, { role: 'user' }] }]);
    }
  });

  it('τ²-bench: ended by a limit', async () => {
    expect(told(await one({ ...simulation, termination_reason: 'max_steps' }, 'tau-bench'), 'run-truncated')).toEqual([expect.stringMatching(/max_steps/)]);
  });
});
