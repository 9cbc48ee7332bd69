import { nestsTooDeep } from '../json';
import { parseNonFinite } from '../nonFinite';
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
const columns = ['messages', 'conversations', 'conversation', 'chat_completions', 'trajectory'] as const;

interface Column {
  readonly name: string;
  readonly list: readonly unknown[];
}

function columnOf(row: Row): Column | undefined {
  for (const name of columns) {
    const list = listIn(row[name]);
    if (list !== undefined && list.length > 0 && list.every(isMessage)) return { name, list };
  }
  return undefined;
}

/** A list, or the text that writes one out: tables keep nested columns so. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (isList(value)) return value;
  if (!isText(value) || !value.trimStart().startsWith('[')) return undefined;
  const parsed = parseNonFinite(value);
  return 'fault' in parsed || !isList(parsed.value) || nestsTooDeep(parsed.value) ? undefined : parsed.value;
}

/** A chat as messages (OpenAI, ShareGPT, Anthropic), golds and scores beside it. */
export const messages: RowFormat = {
  id: 'messages',
  matches: (row) => columnOf(row) !== undefined && row['trajectory_format'] === undefined && row['values'] === undefined && !hasHarness(row),
  read: (row, options) => {
    const column = columnOf(row);
    if (column === undefined) return 'has no "messages" with roles, which hold the rollout';
    return readChat(row, column.list, options, column.name);
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
