import { describe, expect, it } from 'vitest';
import { textOf } from '../../../../src/trajectory/model';
import { renderTranscript } from '../../../../src/trajectory/transcript';
import { codes, gist, one, open } from './support';

const step = (action: string, observation: string, thought = 'So.\n', response = `${thought}\`\`\`\n${action}\n\`\`\``): object => ({ action: `${action}\n`, observation, response, state: '{}', thought });
const history = [
  { role: 'system', content: 'Be an engineer.', agent: 'primary' },
  { role: 'user', content: 'Here is a demonstration:\n```\nls\n```', agent: 'primary', is_demo: true },
  { role: 'user', content: "We're solving this.\nISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nGo on.", agent: 'primary' },
  { role: 'assistant', content: 'x', thought: 'x', action: 'ls', agent: 'primary' },
];
const patch = 'diff --git a/x b/x';
const run = {
  environment: 'swe_main',
  trajectory: [step('ls -a', '.\n..'), step('edit 1:1\nx\nend_of_edit', ''), step('submit', patch)],
  history,
  info: { exit_status: 'submitted', submission: patch, model_stats: { instance_cost: 0.5 } },
};
const told = (code: string) => (t: { readonly findings: readonly { readonly code: string; readonly message: string }[] }): string[] =>
  t.findings.filter((finding) => finding.code === code).map(({ message }) => message);

describe('SWE-agent', () => {
  it('0.x: every step is a turn, the command is its query, the issue the question', async () => {
    const t = await one(run, 'swe-agent');
    expect(gist(t)).toEqual({
      question: 'It breaks.',
      answers: [],
      queries: [['ls -a'], ['edit 1:1\nx\nend_of_edit'], ['submit']],
      results: ['.\n..', '', patch],
      answer: undefined,
    });
    expect(t.turns.map(({ ineligible }) => ineligible)).toEqual([undefined, 'empty observation', undefined]);
    const [first] = t.turns;
    expect([textOf(t, first?.policy ?? { start: 0, end: 0 }), textOf(t, first?.think ?? { start: 0, end: 0 })]).toEqual(['So.\n```\nls -a\n```<|im_end|>', 'So.']);
    expect(t.prompt).toMatchObject({ kind: 'messages', messages: [{ role: 'system' }, { role: 'user' }, { role: 'user' }] });
    expect(t.recorded?.extra).toMatchObject({ environment: 'swe_main', info: { exit_status: 'submitted' } });
    expect([codes(t).includes('run-truncated'), codes(t).includes('outcome-not-shown')]).toEqual([false, false]);
  });

  it('puts a command into a fence where the response does not hold it', async () => {
    const t = await one({ ...run, trajectory: [step('ls', 'a', 'T', 'T only'), step('cat a', 'b', '', '')] }, 'swe-agent');
    expect(t.turns.map((turn) => textOf(t, turn.policy))).toEqual(['T\n```\nls\n```<|im_end|>', '```\ncat a\n```<|im_end|>']);
  });

  it('keeps what a policy wrote in XML', async () => {
    const t = await one({ ...run, trajectory: [step('ls -F', 'a', 'T', 'T\n<command>\nls -F\n</command>')] }, 'swe-agent');
    expect([textOf(t, t.turns[0]?.policy ?? { start: 0, end: 0 }), t.turns[0]?.queries]).toEqual(['T\n<command>\nls -F\n</command><|im_end|>', ['ls -F']]);
    expect(renderTranscript(t).text).toMatch(/▸ think\nT\n▸ command: ls -F\n▸ observation/);
  });

  it('1.x: calls stand in the history, the problem statement in the configuration of the replay', async () => {
    const call = (id: string, name: string, args: object): object => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
    const acted = (content: string, action: string, made: object): object => ({ role: 'assistant', content, thought: content, action, agent: 'main', message_type: 'action', tool_calls: [made], thinking_blocks: [{ type: 'thinking', thinking: 'Deep.' }] });
    const t = await one(
      {
        trajectory: [
          { ...step('bash x', 'out', 'T', 'T'), action: 'ls', execution_time: 0.25, query: [{}], extra_info: {} },
          { ...step('x', '', '', ''), action: '', thought: 'Exit due to cost limit', observation: 'Exited (autosubmitted)' },
        ],
        history: [...history.slice(0, 1), { role: 'user', content: 'Do it.', agent: 'main', message_type: 'observation' }, acted('T', 'ls', call('c1', 'bash', { command: 'ls' })), { role: 'tool', content: 'out', agent: 'main', tool_call_ids: ['c1'] }],
        info: { exit_status: 'submitted (exit_cost)', submission: patch },
        replay_config: JSON.stringify({ problem_statement: { text: 'It still breaks.', type: 'text', extra_fields: { flag: 'f{1}' } } }),
        environment: 'main',
      },
      'swe-agent',
    );
    expect(gist(t)).toEqual({ question: 'It still breaks.', answers: ['f{1}'], queries: [['ls'], []], results: ['out', 'Exited (autosubmitted)'], answer: undefined });
    expect(textOf(t, t.turns[0]?.think ?? { start: 0, end: 0 }).trim()).toBe('Deep.');
    expect(t.recorded?.turns).toEqual({ execution_time: [0.25, null] });
    expect(told('run-truncated')(t)).toEqual([expect.stringMatching(/"submitted \(exit_cost\)"/)]);
  });

  it('a demonstration may be a history alone', async () => {
    const t = await one({ history: [...history.slice(0, 3), { role: 'assistant', content: 'A\n```\nls\n```', agent: 'primary' }, { role: 'user', content: 'out', agent: 'primary' }] }, 'swe-agent');
    expect(gist(t)).toMatchObject({ queries: [['ls']], results: ['out'] });
  });

  it.each([
    ['a limit', { ...run, info: { exit_status: 'exit_context' } }, 'run-truncated', /exit_context/],
    ['a run that was killed', { ...run, trajectory: run.trajectory.slice(0, 1), info: { model_stats: {} } }, 'run-truncated', /no exit status/],
    ['submitted without a step', { ...run, trajectory: run.trajectory.slice(0, 2) }, 'outcome-not-shown', /no step submits/],
    ['submitted without a submission', { ...run, info: { exit_status: 'submitted', submission: null } }, 'outcome-not-shown', /no submission/],
  ])('says what the file claims and its steps do not show: %s', async (_, row, code, message) => {
    expect(told(code)(await one(row, 'swe-agent'))).toEqual([expect.stringMatching(message)]);
  });

  it('a retry: the chosen attempt is the main line, the others are reached from it', async () => {
    const attempt = (answer: string): object => ({ ...run, trajectory: [step(answer, 'out'), step('submit', patch)] });
    const attempts = [attempt('first'), attempt('second'), attempt('third')];
    const t = await one({ attempts, ...attempts[1], info: { ...run.info, best_attempt_idx: 1 } }, 'swe-agent');
    expect(t.turns[0]?.queries).toEqual(['second']);
    expect(t.sideLines?.map(({ kind, name, trajectory }) => [kind, name, trajectory.turns[0]?.queries[0]])).toEqual([
      ['attempt', 'attempt 1', 'first'],
      ['attempt', 'attempt 3', 'third'],
    ]);
    expect(told('other-trajectories')(t)).toEqual([expect.stringMatching(/"attempt 1", "attempt 3"/), expect.stringMatching(/attempt 2 of 3, which the file chose/)]);
    const unchosen = await one({ attempts }, 'swe-agent');
    expect([unchosen.turns[0]?.queries, unchosen.sideLines?.length, told('other-trajectories')(unchosen)]).toEqual([['third'], 2, [expect.stringMatching(/"attempt 1"/), expect.stringMatching(/attempt 3 of 3, the last/)]]);
    const copied = await one({ attempts, ...attempts[0] }, 'swe-agent');
    expect(copied.sideLines?.map(({ name }) => name)).toEqual(['attempt 2', 'attempt 3']);
  });

  it.each([3, -1, 1.5, '1', 1e300])('a best attempt that is none of those there is not taken for one: %s', async (best) => {
    const attempts = ['first', 'second', 'third'].map((answer) => ({ ...run, trajectory: [step(answer, 'out'), step('submit', patch)] }));
    const info = { ...run.info, best_attempt_idx: best };
    const unchosen = await one({ attempts, info }, 'swe-agent');
    expect([unchosen.turns[0]?.queries, told('other-trajectories')(unchosen).at(-1)]).toEqual([['third'], 'This is attempt 3 of 3, the last, as the file names one that it does not hold.']);
    const copied = await one({ attempts, ...attempts[0], info }, 'swe-agent');
    expect([copied.sideLines?.map(({ name }) => name), told('other-trajectories')(copied).at(-1)]).toEqual([['attempt 2', 'attempt 3'], 'This is attempt 1 of 3.']);
  });

  it('attempts keep their places where others are no runs', async () => {
    const attempt = (answer: string): object => ({ ...run, trajectory: [step(answer, 'out'), step('submit', patch)] });
    const attempts = [null, attempt('second'), 'x', attempt('fourth'), { trajectory: [] }];
    const chosen = async (best?: number): Promise<unknown> => {
      const t = await one({ attempts, info: { ...run.info, best_attempt_idx: best } }, 'swe-agent');
      return [t.turns[0]?.queries, t.sideLines?.map(({ name }) => name), ...told('other-trajectories')(t).slice(1)];
    };
    const lost = '3 attempt(s) hold no rollout and are left out.';
    expect(await chosen(1)).toEqual([['second'], ['attempt 4'], 'This is attempt 2 of 5, which the file chose.', lost]);
    expect(await chosen(2)).toEqual([['fourth'], ['attempt 2'], 'This is attempt 4 of 5, the last, as the file names one that it does not hold.', lost]);
    expect(await chosen()).toEqual([['fourth'], ['attempt 2'], 'This is attempt 4 of 5, the last, as the file names none.', lost]);
    const beside = await one({ ...attempt('second'), attempts }, 'swe-agent');
    expect(told('other-trajectories')(beside).slice(1)).toEqual(['This is attempt 2 of 5.', lost]);
  });

  it('a history beside attempts that are no runs is read', async () => {
    const t = await one({ attempts: [{}], history: [...history.slice(0, 3), { role: 'assistant', content: 'A\n```\nls\n```', agent: 'primary' }, { role: 'user', content: 'out', agent: 'primary' }] }, 'swe-agent');
    expect([t.turns[0]?.queries, told('other-trajectories')(t)]).toEqual([['ls'], ["This is the run beside the file's 1 attempt(s).", '1 attempt(s) hold no rollout and are left out.']]);
  });

  it.each([
    ['no steps', { trajectory: [], history: history.slice(0, 2), info: {} }],
    ['steps of another kind', { trajectory: [1, null, { action: 'x', thought: 3 }, { action: 'ls', observation: null, response: 'x' }], history: [], info: null }],
    ['odd members', { trajectory: [{ ...step('ls', 'x'), state: [[]], thought: {}, observation: ['a', { text: 'b' }] }], history: 'x', info: [], replay_config: '{"problem_statement": 3' }],
  ])('takes odd files as they are: %s', async (_, row) => {
    const { results } = await open(`${JSON.stringify(row)}\n`);
    for (const result of results) if (result.kind === 'problem') expect(result.message).toMatch(/^[^\n]+\.$/);
    expect(results).toHaveLength(1);
  });
});

describe('data sets of SWE-agent', () => {
  const trajectory = [
    { role: 'system', system_prompt: 'Be an engineer.', text: null },
    { role: 'user', text: 'x\nISSUE:\nIt breaks.\n\nINSTRUCTIONS:\nGo.' },
    { role: 'ai', text: 'Look.\n```\nls\n```' },
    { role: 'user', text: 'a' },
    { role: 'ai', text: 'Done.\n```\nsubmit\n```' },
  ];

  it('are chats', async () => {
    const t = await one({ instance_id: 'i', target: false, trajectory, exit_status: 'submitted', generated_text: patch }, 'swe-agent-chat');
    expect(gist(t)).toEqual({ question: 'It breaks.', answers: [], queries: [['ls'], ['submit']], results: ['a', undefined], answer: undefined });
    expect([t.group, told('run-truncated')(t), told('outcome-not-shown')(t)]).toEqual(['i', [], []]);
  });

  it.each([['generated_patch', { generated_patch: patch }, 0], ['an empty generated_patch', { generated_patch: '' }, 1], ['no column for the patch', {}, 0]])('with %s', async (_, columns, claims) => {
    const t = await one({ instance_id: 'i', target: true, trajectory, exit_status: 'submitted', ...columns }, 'swe-agent-chat');
    expect(told('outcome-not-shown')(t)).toHaveLength(claims);
  });

  it('with a limit, and with a claim that nothing shows', async () => {
    const t = await one({ instance_id: 'i', target: true, trajectory, exit_status: 'exit_cost', generated_text: '' }, 'swe-agent-chat');
    expect([told('run-truncated')(t).length, told('outcome-not-shown')(t).length]).toEqual([1, 1]);
  });
});

describe('mini-swe-agent', () => {
  const task = 'Fix the sum.';
  const template = 'Please solve this issue: {{task}}\n\nYou can execute bash commands and edit files to implement the necessary changes.\n\n{{cwd}}';
  const asked = [
    { role: 'system', content: 'One block.' },
    { role: 'user', content: template.replace('{{task}}', task).replace('{{cwd}}', '/x') },
  ];
  const submit = '```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```';
  const old = {
    info: { exit_status: 'Submitted', submission: patch, model_stats: { instance_cost: 0.1 }, mini_version: '1.9.1', config: { agent: { instance_template: template } } },
    messages: [
      ...asked,
      { role: 'assistant', content: 'THOUGHT: look.\n\n```bash\nls\n```' },
      { role: 'user', content: '<returncode>0</returncode>\n<output>\na\n</output>' },
      { role: 'assistant', content: `THOUGHT: done.\n\n${submit}` },
      { role: 'user', content: patch },
    ],
    trajectory_format: 'mini-swe-agent-1',
  };

  it('1.x: a fence is a command, the one that submits too', async () => {
    const t = await one(old, 'mini-swe-agent');
    expect(gist(t)).toMatchObject({ question: task, queries: [['ls'], ['echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff']], answer: undefined });
    expect([t.dialect, codes(t).filter((code) => code.startsWith('run') || code.startsWith('outcome'))]).toEqual(['commands', []]);
    expect(t.recorded?.extra).toMatchObject({ info: { submission: patch } });
  });

  it('its bare list of messages is told by what runs the commands', async () => {
    expect(gist(await one(JSON.stringify(old.messages), 'mini-swe-agent'))).toMatchObject({ question: task, queries: [['ls'], [expect.stringMatching(/COMPLETE/)]] });
    const plain = [{ role: 'user', content: 'How do I list files?' }, { role: 'assistant', content: 'So:\n```bash\nls\n```' }, { role: 'user', content: 'Thanks' }, { role: 'assistant', content: 'Bye' }];
    await one(JSON.stringify(plain), 'message-list');
  });

  it('2.x: parallel calls of one message are one turn, "exit" was said by nobody', async () => {
    const call = (id: string, command: string): object => ({ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } });
    const t = await one(
      {
        info: { ...old.info, mini_version: '2.2.7' },
        messages: [
          ...asked,
          { role: 'assistant', content: 'Look.', reasoning_content: 'hm', tool_calls: [call('c1', 'ls'), call('c2', 'cat a')], extra: { actions: [{ command: 'ls' }], cost: 0.1 } },
          { role: 'tool', tool_call_id: 'c1', content: 'a', extra: { returncode: 0 } },
          { role: 'tool', tool_call_id: 'c2', content: 'b' },
          { role: 'assistant', content: null, tool_calls: [call('c3', 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat p')] },
          { role: 'exit', content: patch, extra: { exit_status: 'Submitted', submission: patch } },
        ],
        trajectory_format: 'mini-swe-agent-1.1',
      },
      'mini-swe-agent',
    );
    expect(gist(t)).toMatchObject({ question: task, queries: [['ls', 'cat a'], ['echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat p']], answer: undefined });
    expect(codes(t)).not.toEqual(expect.arrayContaining(['call-unpaired']));
    expect(t.text).not.toContain('diff --git');
  });

  it('2.x with items of the Responses API', async () => {
    const t = await one(
      {
        info: { exit_status: 'LimitsExceeded', mini_version: '2.2.8' },
        messages: [
          ...asked,
          { object: 'response', output: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }, { type: 'function_call', name: 'bash', arguments: '{"command": "ls"}', call_id: 'c1' }], extra: {} },
          { type: 'function_call_output', call_id: 'c1', output: 'a' },
          { role: 'exit', content: 'LimitsExceeded', extra: { exit_status: 'LimitsExceeded', submission: '' } },
        ],
        trajectory_format: 'mini-swe-agent-3',
      },
      'mini-swe-agent',
    );
    expect(gist(t)).toMatchObject({ question: task, queries: [['ls']], results: ['a'] });
    expect([told('run-truncated')(t), told('unknown-key')(t)]).toEqual([[expect.stringMatching(/LimitsExceeded/)], [expect.stringMatching(/mini-swe-agent-3/)]]);
  });

  it('submitted, and no command that does', async () => {
    const t = await one({ ...old, messages: old.messages.slice(0, 4) }, 'mini-swe-agent');
    expect(told('outcome-not-shown')(t)).toEqual([expect.stringMatching(/no command submits/)]);
  });
});

describe('InterCode', () => {
  const record = (turns: object, summary: object): object => ({ environment: 'ic_ctf', dataset: 'd', task_id: 1, query: 'What is 0x3D?', turn_history: turns, summary });
  const solved = record({ actions: ['echo $((0x3D))', 'submit f{61}'], observations: ['61\n', '61\n'], rewards: [0, 1], valid_action: [true, true] }, { max_reward: 1, max_reward_idx: 1, turns_taken: 2, turns_max: 10 });

  it('parallel lists are turns, keyed by task', async () => {
    const { format, results } = await open(JSON.stringify({ 1: solved, 2: solved }, undefined, 2));
    expect([format, results.length]).toEqual(['intercode', 2]);
    const [first] = results;
    if (first?.kind !== 'trajectory') throw new Error('not read');
    const { trajectory: t } = first;
    expect(gist(t)).toEqual({ question: 'What is 0x3D?', answers: [], queries: [['echo $((0x3D))'], ['submit f{61}']], results: ['61', '61'], answer: undefined });
    expect([t.recorded?.reward, t.recorded?.turns]).toEqual([1, { reward: [0, 1], valid_action: [1, 1] }]);
    expect(codes(t).filter((code) => code.startsWith('run') || code.startsWith('outcome'))).toEqual([]);
  });

  it('tasks under `logs`, beside what is said of the run', async () => {
    for (const space of [undefined, 2]) {
      const { format, results } = await open(JSON.stringify({ meta: { env: 'ctf', seed: null }, logs: { 0: solved, 1: solved } }, undefined, space));
      expect([format, results.map(({ kind }) => kind)]).toEqual(['intercode', ['trajectory', 'trajectory']]);
    }
    expect((await open(JSON.stringify({ meta: {}, logs: { out: 'x', err: ['y'] } }))).format).toBeUndefined();
  });

  it('its planning agents think before they act', async () => {
    const t = await one({ 3: record({ thoughts: ['Look.', 'Done.'], actions: ['execute[ls [a]]', 'submit'], observations: ['x', 'x'], rewards: [0, 0.67] }, { max_reward: 0.67 }) }, 'intercode');
    expect(t.turns.map((turn) => [turn.queries[0], turn.think && textOf(t, turn.think)])).toEqual([['ls [a]', 'Look.'], ['submit', 'Done.']]);
  });

  it.each([
    ['fewer observations', { actions: ['a', 'b'], observations: ['x'], rewards: [0, 0] }, { max_reward: 0 }, 'call-unpaired', /nothing came back for the last 1/],
    ['more observations', { actions: ['a'], observations: ['x', 'y'], rewards: [0] }, { max_reward: 0 }, 'call-unpaired', /belong to none/],
    ['its last turn', { actions: ['a', 'b'], observations: ['x', 'y'], rewards: [0, 0] }, { max_reward: 0, turns_max: 2 }, 'run-truncated', /after 2 turns/],
    ['a reward that no turn has', { actions: ['a'], observations: ['x'], rewards: [0] }, { max_reward: 1 }, 'outcome-not-shown', /a reward of 1/],
  ])('says what does not fit: %s', async (_, turns, summary, code, message) => {
    expect(told(code)(await one({ 0: record(turns, summary) }, 'intercode'))).toEqual([expect.stringMatching(message)]);
  });
});
