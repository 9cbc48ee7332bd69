import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat, SideDraft } from './format';
import { geminiLines } from './geminiLines';
import { contentText } from './messages/content';
import { conversation } from './messages/conversation';
import { callOf } from './messages/said';
import type { Said } from './messages/said';
import { cutInCall, truncatedBy } from './outcomes';
import { isList, isRow, isText, listKey, others } from './row';
import type { Row } from './row';

/**
 * Sessions of Gemini CLI: `messages` of the types `user` and `gemini` (and `info`, `error`, `warning` of the interface), a document or, in newer ones, a line
 * each behind one that says whose session it is. Calls stand in the message that made them, results and all.
 */
export const geminiLog: RowFormat = {
  id: 'gemini-log',
  matches: (row, cut) => isSession(row, cut) || (isList(row[listKey]) && row[listKey].some((line) => isRow(line) && isPolicys(line))),
  lines: (rows, more) => rows.some(isPolicys) || (more && rows[0] !== undefined && isAbout(rows[0]) && rows[0]['messages'] === undefined),
  read: (row, options) => {
    const lines = isList(row[listKey]) ? row[listKey].filter(isRow) : [row];
    const { about, messages, taken } = geminiLines(lines);
    const draft = draftOf(messages, options);
    if (isText(draft)) return draft;
    const sideLines = taken.flatMap((part, i): readonly SideDraft[] => {
      const side = draftOf(part, options);
      return isText(side) ? [] : [{ kind: 'branch', name: `branch ${String(i + 1)}`, draft: side }];
    });
    return { ...draft, recorded: recordedOf(others(about, 'messages'), 'reward'), ...(sideLines.length === 0 ? {} : { sideLines }) };
  },
};

const isAbout = (row: Row): boolean => isText(row['sessionId']) && isText(row['projectHash']);
const isPolicys = (row: Row): boolean => row['type'] === 'gemini' && isText(row['id']);
const isSession = (row: Row, cut: boolean): boolean => isList(row['messages']) && (row['messages'].some((item) => isRow(item) && isPolicys(item)) || (cut && isAbout(row)));

function draftOf(messages: readonly Row[], options: ReadOptions): Draft | string {
  const said = messages.flatMap(saidBy);
  const chat = conversation(said, options);
  if (isText(chat)) return chat;
  const question = said.find(({ role, content }) => role === 'user' && content.trim() !== '')?.content;
  const last = messages.at(-1);
  const failed = last?.['type'] === 'error' ? [truncatedBy(contentText(last['content']))] : cutInCall(said);
  return { ...chat, ...(question === undefined ? {} : { question }), notes: [...(chat.notes ?? []), ...failed] };
}

function saidBy(message: Row): readonly Said[] {
  const content = contentText(message['content']);
  if (message['type'] === 'user') return [{ role: 'user', content, calls: [] }];
  if (message['type'] !== 'gemini') return [];
  const calls = isList(message['toolCalls']) ? message['toolCalls'].filter(isRow) : [];
  const reasoning = thoughtsIn(message);
  const own: Said = { role: 'assistant', content, calls: calls.map(({ name, args, id }) => callOf({ name, arguments: args, id })), ...(reasoning === '' ? {} : { reasoning }) };
  return [...(content === '' && calls.length === 0 && reasoning === '' ? [] : [own]), ...calls.flatMap(answerTo)];
}

const thoughtsIn = ({ thoughts }: Row): string =>
  (isList(thoughts) ? thoughts.filter(isRow) : []).map(({ subject, description }) => [subject, description].filter((text) => isText(text) && text !== '').join('\n')).join('\n');

/** What came back, as the model read it. */
function answerTo({ id, result }: Row): readonly Said[] {
  const parts = isList(result) ? result : result === undefined || result === null ? [] : [result];
  if (parts.length === 0) return [];
  return [{ role: 'tool', content: parts.map(partText).join('\n'), calls: [], ...(isText(id) ? { answers: id } : {}) }];
}

function partText(part: unknown): string {
  const given = isRow(part) && isRow(part['functionResponse']) ? part['functionResponse']['response'] : undefined;
  return isRow(given) ? contentText(given['output'] ?? given['error'] ?? given) : contentText([part]);
}
