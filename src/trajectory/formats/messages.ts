import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { afterGreeting } from './messages/greeting';
import { saidIn } from './messages/said';
import { messagesIn } from './messages/written';
import { roleOf } from './prompts';
import { isText, others, questionColumns, questionIn } from './row';
import type { Row } from './row';

/** Columns that hold a whole chat. */
const columns = ['messages', 'conversations', 'conversation', 'chat_completions'];
/** Columns that hold one where the policy speaks in it, or something else. */
const mayHold = ['trajectory', 'history', 'raw_history', 'dialogue'];

/** The first of them with the messages in it. */
function chatIn(row: Row): { readonly column: string; readonly list: readonly Row[] } | undefined {
  for (const column of [...columns, ...mayHold]) {
    const list = messagesIn(row[column]);
    if (list !== undefined && (columns.includes(column) || list.some(isPolicys))) return { column, list };
  }
  return undefined;
}

const isPolicys = (message: Row): boolean => roleOf(message['role'] ?? message['from']) === 'assistant';

/** A chat as messages (OpenAI, ShareGPT, Anthropic), golds and scores beside it. */
export const messages: RowFormat = {
  id: 'messages',
  matches: (row) => chatIn(row) !== undefined && row['trajectory_format'] === undefined && row['values'] === undefined && !hasHarness(row),
  read: (row, options) => {
    const chat = chatIn(row);
    if (chat === undefined) return 'has no "messages" with roles, which hold the rollout';
    return readChat(row, chat.list, options, chat.column);
  },
};

/** `info` with an exit status is of an agent's harness (mini-swe-agent). */
const hasHarness = (row: Row): boolean => row['info'] !== undefined && (row['trajectory'] !== undefined || JSON.stringify(row['info']).includes('"exit_status"'));

/** A row whose chat stands in `list`. */
export function readChat(row: Row, list: unknown, options: ReadOptions, ...used: readonly string[]): Draft | string {
  const said = saidIn(list);
  if (said === undefined) return 'holds messages without roles';
  const question = questionIn(row);
  const first = question === undefined && row['prompt'] === undefined ? afterGreeting(said, options) : undefined;
  const chat = conversation(said, options, undefined, first);
  if (isText(chat)) return chat;
  return {
    ...chat,
    ...(question === undefined ? {} : { question }),
    ...goldsOf(row),
    ...groupOf(row, chat.prompt, question),
    recorded: recordedOf(others(row, ...questionColumns, 'tools', 'functions', 'tool_calls', ...used), 'reward'),
  };
}
