import { commands } from '../dialects/commands';
import { inFence } from '../fenced';
import type { Finding } from '../model';
import { recordedOf } from '../recorded';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import type { Said } from './messages/said';
import { notShown } from './outcomes';
import { isList, isRow, isText, numbersOf, others } from './row';
import type { Row } from './row';

/**
 * InterCode's logs, a member of an object for each task: `query`, and `turn_history` with lists of equal length: `actions`, `observations`, `rewards`,
 * `valid_action`, and `thoughts` or `steps` of agents that plan. Every action is a turn, `submit` too.
 */
export const interCode: RowFormat = {
  id: 'intercode',
  matches: (row) => isRow(row['turn_history']) && isList(row['turn_history']['actions']) && row['turn_history']['actions'].every(isText),
  read: (row, options) => {
    const turns = isRow(row['turn_history']) ? row['turn_history'] : {};
    const actions = listIn(turns, 'actions').map(contentText);
    if (actions.length === 0) return 'has no actions, so no rollout';
    const { query } = row;
    const asked: Said = { role: 'user', content: contentText(query), calls: [] };
    const chat = conversation([asked, ...saidIn(turns, actions)], options, commands);
    if (isText(chat)) return chat;
    return {
      ...chat,
      ...(isText(query) ? { question: query } : {}),
      ...goldsOf(row),
      ...groupOf({}, undefined, query),
      recorded: recordedIn(row, turns),
      notes: [...(chat.notes ?? []), ...lengthNote(turns, actions), ...outcomeOf(turns, actions, row['summary'])],
    };
  },
};

const listIn = (turns: Row, key: string): readonly unknown[] => (isList(turns[key]) ? turns[key] : []);

function saidIn(turns: Row, actions: readonly string[]): readonly Said[] {
  const [observations, thoughts, steps] = [listIn(turns, 'observations'), listIn(turns, 'thoughts'), listIn(turns, 'steps')];
  return actions.flatMap((action, i): readonly Said[] => {
    const thought = contentText(thoughts[i] ?? steps[i]);
    const said: Said = { role: 'assistant', content: written(thought, action), calls: [] };
    return i < observations.length ? [said, { role: 'user', content: contentText(observations[i]), calls: [] }] : [said];
  });
}

/** `execute[command]` of its ReAct agents, and a fence of others, stand for the command. */
function written(thought: string, action: string): string {
  const trimmed = action.trimEnd();
  const open = 'execute[';
  const command = trimmed.startsWith(open) && trimmed.endsWith(']') ? trimmed.slice(open.length, -1) : action;
  const fence = action.startsWith('```') ? action : inFence(command);
  return thought === '' || fence === '' ? thought + fence : `${thought}\n${fence}`;
}

function recordedIn(row: Row, turns: Row): NonNullable<Draft['recorded']> {
  const summary = isRow(row['summary']) ? row['summary'] : {};
  const rewards = numbersOf(turns['rewards']);
  const valid = listIn(turns, 'valid_action').map((value) => (typeof value === 'boolean' ? Number(value) : null));
  const figures = { ...(rewards === undefined ? {} : { reward: rewards }), ...(valid.length === 0 ? {} : { valid_action: valid }) };
  return {
    ...recordedOf({ ...others(row, 'query', 'turn_history'), reward: summary['max_reward'] }, 'reward'),
    ...(Object.keys(figures).length === 0 ? {} : { turns: figures }),
  };
}

function lengthNote(turns: Row, actions: readonly string[]): readonly Finding[] {
  const back = listIn(turns, 'observations').length;
  if (back === actions.length) return [];
  const message =
    back < actions.length
      ? `The file has ${String(actions.length)} actions and ${String(back)} observations; nothing came back for the last ${String(actions.length - back)}.`
      : `The file has ${String(back)} observations for ${String(actions.length)} actions; the last ${String(back - actions.length)} belong to none and are left out.`;
  return [{ code: 'call-unpaired', severity: 'warning', message }];
}

/** A capture-the-flag task is solved by submitting the flag; elsewhere the state is judged after each action. */
function outcomeOf(turns: Row, actions: readonly string[], summary: unknown): readonly Finding[] {
  const claimed = isRow(summary) ? summary['max_reward'] : undefined;
  const rewards = numbersOf(turns['rewards']) ?? [];
  if (typeof claimed === 'number' && rewards.length > 0 && rewards.every((reward) => claimed > (reward ?? 0) + 1e-9)) {
    return [notShown(`the run reached a reward of ${String(claimed)}`, 'no turn has it')];
  }
  const limit = isRow(summary) ? summary['turns_max'] : undefined;
  const ended = actions.at(-1)?.trim().startsWith('submit') === true || rewards.at(-1) === 1;
  if (typeof limit !== 'number' || actions.length < limit || ended) return [];
  return [{ code: 'run-truncated', severity: 'warning', message: `The run was cut off after ${String(limit)} turns, the most it was given, without having solved its task.` }];
}
