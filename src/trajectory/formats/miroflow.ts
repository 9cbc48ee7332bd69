import { mcpTools } from '../dialects/mcpTools';
import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import { readCall } from '../toolCall';
import { brief, quote } from '../visible';
import type { Draft, RowFormat, SideDraft } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { turnsOf } from './messages/callTurns';
import { conversation } from './messages/conversation';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { statedAnswer } from './statedAnswer';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/**
 * Tasks of MiroFlow: older ones `message_history`, `summary` and `final_boxed_answer` (task_result.json); newer ones the task tracer's
 * `main_agent_message_history`, and the histories of its sub-agents by session (miroflow/logging/task_tracer.py).
 */
export const miroflow: RowFormat = {
  id: 'miroflow',
  matches: (row) => isList(row['message_history']) || historyIn(row['main_agent_message_history']) !== undefined,
  read: (row, options) => {
    const said = saidOf(row['main_agent_message_history']) ?? saidOf(row);
    const chat = said === undefined ? 'holds no messages of its main agent' : conversation(said, options, dialectOf(said));
    if (said === undefined || isText(chat)) return isText(chat) ? chat : 'holds no messages';
    const question = questionOf(row);
    return {
      ...chat,
      ...(question === undefined ? askedOf(said) : { question }),
      ...goldsOf(others(row, 'answer')),
      ...groupOf(row, chat.prompt, question),
      recorded: recordedOf(others(row, 'message_history', 'main_agent_message_history', ...sessionKeys, 'step_logs', 'trace_data', 'env_info'), 'score'),
      notes: [...(chat.notes ?? []), ...statusOf(row), ...statedAnswer(row['final_boxed_answer'], said)],
      sideLines: sessionsOf(row, said, options),
    };
  },
};

/** The newer name and the one before it. */
const sessionKeys = ['sub_agent_message_history_sessions', 'browser_agent_message_history_sessions'];

const historyIn = (value: unknown): readonly unknown[] | undefined => (isRow(value) && isList(value['message_history']) && value['message_history'].length > 0 ? value['message_history'] : undefined);

/** The messages of an agent; its system prompt stands beside them. */
function saidOf(agent: unknown): readonly Said[] | undefined {
  const said = saidIn(historyIn(agent));
  const system = isRow(agent) ? agent['system_prompt'] : undefined;
  if (said === undefined || !isText(system) || system === '' || said[0]?.role === 'system') return said;
  return [{ role: 'system', content: system, calls: [] }, ...said];
}

/** Calls stand in the text, where the model's interface has no place of its own for them. */
const dialectOf = (said: readonly Said[]): typeof mcpTools | undefined =>
  said.some(({ role, content }) => role === 'assistant' && content.includes(mcpTools.tags.search.open)) ? mcpTools : undefined;

/** What was asked, without the instructions that the first message adds to it. */
function questionOf({ input, task_question: asked, question }: Row): string | undefined {
  const described = isRow(input) ? (input['task_description'] ?? input['task_question']) : undefined;
  return [described, asked, question].find((value): value is string => isText(value) && value.trim() !== '');
}

/** What MiroFlow adds to the question in the first message. */
const instructions = '\n\nYour task is to comprehensively address the question';

function askedOf(said: readonly Said[]): Pick<Draft, 'question'> {
  const first = said.find(({ role }) => role === 'user')?.content ?? '';
  const at = first.indexOf(instructions);
  return at <= 0 ? {} : { question: first.slice(0, at) };
}

function statusOf({ status, error }: Row): readonly Finding[] {
  if (!isText(status) || status === 'completed' || status === 'success') return [];
  const why = isText(error) && error !== '' ? `: ${brief(error.slice(0, 1000).replace(/\s+/g, ' '), 200)}` : '';
  return [{ code: 'run-truncated', severity: 'warning', message: `The run did not end by itself; the file gives its status as ${quote(status)}${why}.` }];
}

/** Sessions are named by their agent and counted over all agents in the order in which the main agent called them: `agent-worker_2`. */
function sessionsOf(row: Row, said: readonly Said[], options: ReadOptions): readonly SideDraft[] {
  const sessions = sessionKeys.flatMap((key) => (isRow(row[key]) ? Object.entries(row[key]) : []));
  const agents = new Set(sessions.map(([name]) => agentOf(name)));
  const turns = agents.size === 0 ? [] : turnsOfAgents(said, agents);
  return sessions.flatMap(([name, session]): SideDraft[] => {
    const lines = saidOf(session);
    const draft: Draft | string = lines === undefined ? 'holds no messages' : conversation(lines, options, dialectOf(lines));
    const turn = turns[Number(/_(\d+)$/.exec(name)?.[1] ?? 0) - 1];
    return isText(draft) ? [] : [{ kind: 'sub-agent', name, draft, ...(turn === undefined ? {} : { turn }) }];
  });
}

const agentOf = (session: string): string => session.replace(/_\d+$/, '');

/** The turn of each call of a sub-agent, in order. */
function turnsOfAgents(said: readonly Said[], agents: ReadonlySet<string>): readonly number[] {
  const turns: number[] = [];
  const own = turnsOf(said);
  for (const [i, { role, content, calls }] of said.entries()) {
    if (role !== 'assistant') continue;
    const named = [...content.matchAll(/<server_name>\s*([^<\s]{1,200})\s*<\/server_name>/g)].map((match) => match[1] ?? '');
    for (const name of [...named, ...calls.map(({ text }) => serverOf(text))]) if (agents.has(name)) turns.push(own[i] ?? 0);
  }
  return turns;
}

/** Function calls are named by their server and its tool: `agent-worker-execute_subtask`. */
function serverOf(call: string): string {
  const name = readCall(call)?.name ?? '';
  return name.slice(0, Math.max(0, name.lastIndexOf('-')));
}
