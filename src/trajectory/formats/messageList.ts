import type { RowFormat } from './format';
import { readChat } from './messages';
import { isList, isMessage, listKey } from './row';

/** A chat that is a bare list of messages: a file of one, or a record of an array or of lines; or a file with a message a line. */
export const messageList: RowFormat = {
  id: 'message-list',
  matches: (row) => isList(row[listKey]) && row[listKey].length > 0 && row[listKey].every(isMessage) && row[listKey].some((message) => isMessage(message) && (message['role'] ?? message['from']) !== 'user'),
  lines: (rows, more) => rows.every((row) => isMessage(row) && ['content', 'value', 'tool_calls'].some((key) => row[key] !== undefined)) && (more || rows.some((row) => row['role'] === 'assistant' || row['from'] === 'gpt')),
  read: (row, options) => readChat(row, row[listKey], options, listKey),
};
