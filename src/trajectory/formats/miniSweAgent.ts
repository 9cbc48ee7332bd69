import { commands } from '../dialects/commands';
import { qwenTools } from '../dialects/qwenTools';
import { fencedCommand } from '../fenced';
import type { Finding } from '../model';
import { recordedOf } from '../recorded';
import { quote } from '../visible';
import type { RowFormat } from './format';
import { conversation } from './messages/conversation';
import { responseItems } from './messages/responseItems';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { notShown, truncated, truncatedBy } from './outcomes';
import { isList, isRow, isText, listKey, others } from './row';
import type { Row } from './row';
import { taskByTemplate, taskIn } from './taskText';

/** What the agent echoes to submit. */
const submits = ['COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT', 'MINI_SWE_AGENT_FINAL_OUTPUT'];
const knownVersions = ['mini-swe-agent-1', 'mini-swe-agent-1.0', 'mini-swe-agent-1.1'];

/**
 * mini-swe-agent's .traj.json, 1.x (a command in a fence) and 2.x (calls of `bash`, or items of the Responses API; a last message of the role `exit`),
 * and the bare list of messages of its tests. Every command is a turn, the one that submits too.
 */
export const miniSweAgent: RowFormat = {
  id: 'mini-swe-agent',
  matches: (row, cut) => {
    const version = row['trajectory_format'];
    if (isText(version) && version.startsWith('mini-swe-agent')) return true;
    if (isList(row[listKey])) return isMiniChat(row[listKey]);
    return isRow(row['info']) && isMiniInfo(row['info']) && (isList(row['messages']) || (cut && row['messages'] === undefined));
  },
  read: (row, options) => {
    const list = row['messages'] ?? row[listKey];
    const messages = isList(list) ? list.filter(isRow) : [];
    const said = messages.flatMap(saidBy);
    const calling = said.some(({ calls }) => calls.length > 0);
    const chat = conversation(withoutBlankEnd(said), options, calling ? qwenTools : commands);
    if (isText(chat)) return chat;
    const info = isRow(row['info']) ? row['info'] : {};
    const question = questionOf(info, said);
    return {
      ...chat,
      ...(question === undefined ? {} : { question }),
      recorded: recordedOf(others(row, 'messages', 'trajectory_format', listKey), 'reward'),
      notes: [...(chat.notes ?? []), ...versionNote(row['trajectory_format']), ...outcomeOf(info, messages, said)],
    };
  },
};

const isMiniInfo = (info: Row): boolean => ['exit_status', 'mini_version'].some((key) => info[key] !== undefined) || (info['model_stats'] !== undefined && info['config'] !== undefined);

/** A chat whose commands the environment runs: fences answered by return codes. */
function isMiniChat(list: readonly unknown[]): boolean {
  const rows = list.filter(isRow);
  const spoken = rows.findIndex(({ role, content }) => role === 'assistant' && isText(content) && fencedCommand(content) !== undefined);
  const next = spoken < 0 ? undefined : rows[spoken + 1];
  return next?.['role'] === 'user' && isText(next['content']) && /^(?:<returncode>|<exception>|Observation: )/.test(next['content']);
}

/** Messages of either interface; `exit` was said by nobody. */
function saidBy(message: Row): readonly Said[] {
  if (message['role'] === 'exit') return [];
  if (isList(message['output'])) return responseItems(message['output']);
  return isText(message['role']) ? (saidIn([message]) ?? []) : isText(message['type']) ? responseItems([message]) : [];
}

/** The message of an exception without words. */
function withoutBlankEnd(said: readonly Said[]): readonly Said[] {
  const last = said.at(-1);
  return last?.role === 'user' && last.content.trim() === '' ? said.slice(0, -1) : said;
}

function questionOf(info: Row, said: readonly Said[]): string | undefined {
  const asked = said.find(({ role }) => role === 'user')?.content;
  const agent = isRow(info['config']) && isRow(info['config']['agent']) ? info['config']['agent'] : {};
  const template = agent['instance_template'];
  if (asked === undefined) return undefined;
  return (isText(template) ? taskByTemplate(asked, template) : undefined) ?? taskIn(asked);
}

function versionNote(version: unknown): readonly Finding[] {
  if (!isText(version) || knownVersions.includes(version)) return [];
  const message = `The format ${quote(version)} is newer than those that are known (up to mini-swe-agent-1.1); it is read as far as it is like them.`;
  return [{ code: 'unknown-key', severity: 'information', message }];
}

function outcomeOf(info: Row, messages: readonly Row[], said: readonly Said[]): readonly Finding[] {
  const exit = messages.findLast(({ role }) => role === 'exit');
  const told = isRow(exit?.['extra']) ? exit['extra'] : {};
  const status = [info['exit_status'], told['exit_status']].find((value) => isText(value) && value !== '');
  const shown = said.some(({ role, content, calls }) => role === 'assistant' && [content, ...calls.map(({ text }) => text)].some((text) => submits.some((word) => text.includes(word))));
  if (isText(status)) {
    if (status !== 'Submitted') return [truncatedBy(status)];
    return shown ? [] : [notShown('a solution was submitted', 'no command submits one')];
  }
  return shown || Object.keys(info).length === 0 ? [] : [truncated('before it submitted anything (the file states no exit status)')];
}
