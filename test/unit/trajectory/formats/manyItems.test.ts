import { expect, it } from 'vitest';
import { readKept } from '../../../../src/trajectory/atif/kept';
import { searchR1 } from '../../../../src/trajectory/dialects/searchR1';
import { openTrajectoryFile } from '../../../../src/trajectory/file';
import { actionsOfRoles } from '../../../../src/trajectory/roleActions';
import { atifOf } from '../../../../src/trajectory/writeAtif';
import { twoTurns } from '../../../support/makeTrajectory';
import { bytesSource } from '../support';
import { one } from './support';

/** More than a call takes as its arguments. */
const many = 200_000;
const times = <T>(item: T): T[] => Array<T>(many).fill(item);

it('rewards of InterCode', async () => {
  const t = await one({ query: 'Q?', turn_history: { actions: ['ls'], observations: ['a'], rewards: times(0) }, summary: { max_reward: 1 } }, 'intercode');
  expect(t.findings.map(({ code }) => code)).toContain('outcome-not-shown');
});

it("calls of MiroFlow's agents", async () => {
  const server = '<server_name>agent-a</server_name>';
  const content = `${server.repeat(many)}<use_mcp_tool>${server}<tool_name>t</tool_name><arguments>{}</arguments></use_mcp_tool>`;
  const history = { message_history: [{ role: 'user', content: 'Q?' }, { role: 'assistant', content }, { role: 'user', content: 'D' }] };
  const t = await one({ main_agent_message_history: history, sub_agent_message_history_sessions: { 'agent-a_1': history } }, 'miroflow');
  expect(t.sideLines?.[0]?.turn).toBe(1);
});

it('results within one message of LangChain', async () => {
  const content = times({ type: 'tool_result', content: '' });
  const t = await one({ messages: [{ type: 'human', content: 'Q?' }, { type: 'ai', content: 'x' }, { type: 'human', content }, { type: 'ai', content: 'y' }] }, 'langgraph');
  expect([t.turns.length, t.final?.answer]).toEqual([1, 'y']);
});

it('actions within one message of the policy', () => {
  const span = { start: 0, end: 1 };
  const actions = actionsOfRoles('x', [{ by: 'policy', span }], searchR1, () => times({ policy: span, queries: [] }));
  expect(actions).toHaveLength(many);
});

it('queries of a turn that Turnlens kept', () => {
  const t = twoTurns();
  const turns = t.turns.map((turn) => ({ ...turn, querySpans: times(turn.querySpans[0] ?? turn.policy), queries: times('q') }));
  const document = atifOf(t, {}) as { readonly extra: { readonly turnlens: { readonly trajectory: object } } };
  expect(readKept({ ...document.extra.turnlens, trajectory: { ...document.extra.turnlens.trajectory, turns } })).toBeDefined();
});

it('lines that are appended to a file', async () => {
  const line = '{"input":"Q?","output":"<answer>a</answer>"}\n';
  let text = line;
  const source = { size: () => bytesSource(text).size(), read: (start: number, end: number) => bytesSource(text).read(start, end) };
  const file = await openTrajectoryFile(source, 'a.jsonl');
  text = line.repeat(many);
  expect(await file.grow?.()).toBe(true);
  expect(file.records).toHaveLength(many);
});
