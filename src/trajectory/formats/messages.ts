import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { saidIn } from './messages/said';
import { isList, isMessage, isText, others } from './row';
import type { Row } from './row';

/** Columns that hold a whole chat. */
const columns = ['messages', 'conversations', 'conversation', 'chat_completions'] as const;

const columnOf = (row: Row): string | undefined => columns.find((column) => isList(row[column]) && row[column].length > 0 && row[column].every(isMessage));

/** A chat as messages (OpenAI, ShareGPT, Anthropic), golds and scores beside it. */
export const messages: RowFormat = {
  id: 'messages',
  matches: (row) => columnOf(row) !== undefined && row['trajectory_format'] === undefined && row['values'] === undefined && !hasHarness(row),
  read: (row, options) => {
    const column = columnOf(row);
    if (column === undefined) return 'has no "messages" with roles, which hold the rollout';
    return readChat(row, row[column], options, column);
  },
};

/** `info` with an exit status is of an agent's harness (mini-swe-agent). */
const hasHarness = (row: Row): boolean => row['info'] !== undefined && (row['trajectory'] !== undefined || JSON.stringify(row['info']).includes('"exit_status"'));

/** A row whose chat stands in `list`. */
export function readChat(row: Row, list: unknown, options: ReadOptions, ...used: readonly string[]): Draft | string {
  const said = saidIn(list);
  const chat = said === undefined ? 'holds messages without roles' : conversation(said, options);
  if (isText(chat)) return chat;
  const { question } = row;
  return {
    ...chat,
    ...(isText(question) ? { question } : {}),
    ...goldsOf(row),
    ...groupOf(row, chat.prompt, question),
    recorded: recordedOf(others(row, 'question', 'tools', 'functions', 'tool_calls', ...used), 'reward'),
  };
}
