import { recordedOf } from '../recorded';
import type { Finding } from '../model';
import { quote } from '../visible';
import type { RowFormat } from './format';
import { conversation } from './messages/conversation';
import type { Said } from './messages/said';
import { notShown, truncated, truncatedBy } from './outcomes';
import { isList, isMessage, isRow, isText, others } from './row';
import type { Row } from './row';
import { saidInTau } from './tauMessages';

/**
 * τ-bench: results in a list, `traj` (messages), `reward`, `info.task`; and τ²-bench: `simulations` with `messages`, `reward_info` and a reason why they ended.
 * What the simulated user wants is the question; what the reward checks is no answer, so there is no gold.
 */
export const tauBench: RowFormat = {
  id: 'tau-bench',
  matches: (row) => isResult(row) || isSimulation(row),
  read: (row, options) => {
    const list = row['traj'] ?? row['messages'];
    const rows = isList(list) ? list.filter(isRow) : [];
    const info = isRow(row['info']) ? row['info'] : {};
    if (rows.length === 0) return isText(info['error']) ? `has no messages, as its run failed (${quote(info['error'], 80)})` : 'has no messages, so no rollout';
    const { messages, first, farewell } = parted(saidInTau(rows));
    const chat = conversation(messages, options, undefined, first);
    if (isText(chat)) return chat;
    const task = isRow(info['task']) ? info['task'] : {};
    const question = isText(task['instruction']) ? task['instruction'] : messages.find(({ role }) => role === 'user')?.content;
    const id = row['task_id'];
    return {
      ...chat,
      ...(question === undefined ? {} : { question }),
      ...(isText(id) || typeof id === 'number' ? { group: `task ${String(id)}` } : {}),
      recorded: recordedOf({ ...others(row, 'traj', 'messages', 'ticks'), reward: rewardOf(row) }, 'reward'),
      notes: [...(chat.notes ?? []), ...farewellNote(farewell), ...outcomeOf(row, messages, farewell !== undefined)],
    };
  },
};

const isResult = (row: Row): boolean => isList(row['traj']) && row['traj'].every(isMessage) && (row['traj'].length > 0 || row['task_id'] !== undefined);

const isSimulation = (row: Row): boolean => isList(row['messages']) && row['task_id'] !== undefined && (row['reward_info'] !== undefined || row['termination_reason'] !== undefined);

function rewardOf(row: Row): unknown {
  return row['reward'] ?? (isRow(row['reward_info']) ? row['reward_info']['reward'] : undefined);
}

/** What the simulated user says to end the talk. */
const stops = ['###STOP###', '###TRANSFER###', '###OUT-OF-SCOPE###'];

interface Parted {
  readonly messages: readonly Said[];
  /** The agent's own first message, where the harness opened the talk in its name. */
  readonly first?: number;
  /** What the user said last, after the agent's last word. */
  readonly farewell?: string;
}

function parted(said: readonly Said[]): Parted {
  const greets = said[0]?.role === 'assistant' && said[0].calls.length === 0;
  const first = greets ? said.findIndex(({ role }, i) => i > 0 && role === 'assistant') : -1;
  const last = said.at(-1);
  const closes = last?.role === 'user' && stops.some((stop) => last.content.includes(stop)) && said.at(-2)?.role === 'assistant';
  return { messages: closes ? said.slice(0, -1) : said, ...(first < 0 ? {} : { first }), ...(closes ? { farewell: last.content } : {}) };
}

const farewellNote = (farewell: string | undefined): readonly Finding[] =>
  farewell === undefined
    ? []
    : [{ code: 'text-after-answer', severity: 'information', message: `After the last message the user wrote ${quote(farewell.trim(), 120)}, which the policy never read; it is left out.` }];

function outcomeOf(row: Row, messages: readonly Said[], closed: boolean): readonly Finding[] {
  const reason = row['termination_reason'];
  const cut = isText(reason) ? (/^(?:user|agent)_stop$/.test(reason) ? [] : [truncatedBy(reason)]) : closed || transfers(messages) ? [] : openEnd(messages);
  const reward = rewardOf(row);
  return cut.length > 0 && reward === 1 ? [...cut, notShown('the run earned the whole reward', 'it was cut off before it ended')] : cut;
}

/** The talk ends where the agent hands over to a person. */
const transfers = (messages: readonly Said[]): boolean =>
  messages.slice(-2).some(({ role, content, calls }) => calls.some(({ text }) => text.includes('transfer_to_human')) || (role === 'user' && stops.some((stop) => content.includes(stop))));

function openEnd(messages: readonly Said[]): readonly Finding[] {
  const last = messages.at(-1);
  if (last === undefined || (last.role === 'assistant' && last.calls.length === 0)) return [];
  return [truncated(last.role === 'assistant' ? 'in a call that nothing answered' : 'before the policy spoke again')];
}
