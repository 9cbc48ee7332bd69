import { expect, it } from 'vitest';
import type { Trajectory } from '../../../src/trajectory/model';
import { quote } from '../../../src/trajectory/visible';
import { one } from './formats/support';

it('quotes in one line, harmless, in order and short', () => {
  expect(quote('a\u001b[2J\u202eb\u2066\nc\u0085\ud800')).toBe('"a\u241b[2J\ufffdb\ufffd\u21b5c\ufffd\ufffd"');
  expect(quote('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(40)}…"`);
});

const hostile = `\u001b[2J\u202e\u2067${'x'.repeat(1_000_000)}`;
const asked = { role: 'user', content: 'Q?' };
const said = { role: 'assistant', content: 'A' };
const event = { source: 'agent', action: 'message', args: { content: 'A' } };
const turns = [{ answer: 'A' }];

it.each<readonly [string, object, string]>([
  ['the status and error of MiroFlow', { main_agent_message_history: { message_history: [asked, said] }, status: hostile, error: hostile }, 'miroflow'],
  ['the error of Inspect', { id: 1, epoch: 1, messages: [asked, said], error: { message: hostile }, limit: { type: hostile, limit: 1 } }, 'inspect'],
  ['the error of OpenHands', { history: [event], error: hostile }, 'openhands'],
  ['figures of turns', { question: 'Q?', answers: ['A'], turns, recorded: { turns: { [hostile]: [1, 2, 3] } } }, 'native'],
  ['keys that are not known', { question: 'Q?', answers: ['A'], turns, [hostile]: 1 }, 'native'],
  ['names of sub-agents', { schema_version: 'ATIF-v1.4', agent: { name: 'a' }, steps: [{ step_id: 1, source: 'agent', message: 'A' }], subagent_trajectories: [{ trajectory_id: hostile, steps: [{ step_id: 1, source: 'agent', message: 'A' }] }] }, 'atif'],
])('no message holds what a file has written raw: %s', async (_, record, format) => {
  const t: Trajectory = await one(record, format);
  const messages = t.findings.map(({ message }) => message);
  expect(messages.some((message) => message.includes('\ufffd'))).toBe(true);
  for (const message of messages) expect([message.length < 1000, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(message)]).toEqual([true, false]);
});
