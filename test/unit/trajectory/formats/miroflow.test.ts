import { expect, it } from 'vitest';
import { readNative } from '../../../../src/trajectory/read';
import { writeNative } from '../../../../src/trajectory/write';
import { codes, gist, one } from './support';

const mcp = (server: string, tool: string, args: object): string => `Thinking.\n\n<use_mcp_tool>\n<server_name>${server}</server_name>\n<tool_name>${tool}</tool_name>\n<arguments>\n${JSON.stringify(args)}\n</arguments>\n</use_mcp_tool>`;
const user = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (content: string): object => ({ role: 'assistant', content });

const history = [
  user('Which river?\n\nYour task is to comprehensively address the question by collecting information.'),
  assistant(mcp('tool-google-search', 'google_search', { q: 'Lyon river' })),
  user('The Rhône.'),
  assistant(mcp('agent-worker', 'execute_subtask', { subtask: 'Check it.' })),
  user('It is right.'),
  assistant('Final answer: \\boxed{Rhône}'),
];

it('a task of the tracer: gold, boxed answer, sub-agents by session beside the turns that called them', async () => {
  const t = await one(
    {
      status: 'completed',
      task_id: 'x',
      ground_truth: 'Rhône',
      input: { task_description: 'Which river runs through Lyon?' },
      final_boxed_answer: 'Rhône',
      main_agent_message_history: { system_prompt: 'Be good.', message_history: history },
      sub_agent_message_history_sessions: { 'agent-worker_1': { system_prompt: 'Work.', message_history: [user('Check it.'), assistant(mcp('tool-reading', 'read', { url: 'u' })), user('Doc'), assistant('It is right.')] } },
    },
    'miroflow',
  );
  expect(gist(t)).toEqual({
    question: 'Which river runs through Lyon?',
    answers: ['Rhône'],
    queries: [['Lyon river'], ['execute_subtask {"subtask":"Check it."}']],
    results: ['The Rhône.', 'It is right.'],
    answer: 'Rhône',
  });
  expect([t.dialect, t.prompt, codes(t)]).toMatchObject(['mcp-tools', { messages: [{ role: 'system' }, { role: 'user' }] }, expect.arrayContaining(['text-rendered', 'other-trajectories'])]);
  expect(t.sideLines?.map(({ kind, name, turn, trajectory }) => [kind, name, turn, gist(trajectory)])).toMatchObject([['sub-agent', 'agent-worker_1', 2, { queries: [['read {"url":"u"}']], results: ['Doc'] }]]);
  const copy = readNative(writeNative(t));
  expect(copy.kind === 'trajectory' && [copy.trajectory.turns, copy.trajectory.final]).toEqual([t.turns, t.final]);
});

it('an older result: the question is the first message without its instructions, and a stated answer that no message shows is said to be one', async () => {
  const t = await one({ message_history: history.slice(0, -1).concat(assistant('I do not know.')), summary: 's', final_boxed_answer: 'Rhône' }, 'miroflow');
  expect([gist(t), codes(t)]).toMatchObject([{ question: 'Which river?', answer: 'I do not know.' }, ['text-rendered', 'outcome-not-shown', 'gold-missing']]);
});

it('a run that was interrupted says so; calls in the interface of OpenAI are read too', async () => {
  const called = { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: { name: 'agent-browsing-search', arguments: '{"subtask": "x"}' } }] };
  const t = await one(
    {
      status: 'interrupted',
      error: 'no\nluck',
      main_agent_message_history: { message_history: [user('Q?'), called, { role: 'tool', tool_call_id: 'c', content: 'D' }] },
      browser_agent_message_history_sessions: { 'agent-browsing_1': { message_history: [user('x'), assistant('D')] } },
    },
    'miroflow',
  );
  expect([gist(t), t.sideLines?.[0]?.turn, t.findings.find(({ code }) => code === 'run-truncated')?.message]).toMatchObject([{ queries: [['agent-browsing-search {"subtask":"x"}']], results: ['D'] }, 1, expect.stringMatching(/"interrupted": no luck/) as string]);
});

it('an agent whose name begins with that of another is not taken for it', async () => {
  const called = (name: string, id: string): object => ({ role: 'assistant', content: '', tool_calls: [{ id, function: { name, arguments: '{"subtask": "x"}' } }] });
  const back = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'D' });
  const session = { message_history: [user('x'), assistant('D')] };
  const t = await one(
    {
      main_agent_message_history: { message_history: [user('Q?'), called('agent-work-execute_subtask', 'a'), back('a'), called('agent-worker-execute_subtask', 'b'), back('b'), called('agent-work-er-execute_subtask', 'c'), back('c')] },
      sub_agent_message_history_sessions: { 'agent-work_1': session, 'agent-worker_2': session, 'agent-work-er_3': session },
    },
    'miroflow',
  );
  expect(t.sideLines?.map(({ name, turn }) => [name, turn])).toEqual([['agent-work_1', 1], ['agent-worker_2', 2], ['agent-work-er_3', 3]]);
});
