import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat, SideDraft } from './format';
import { conversation } from './messages/conversation';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { cutInCall } from './outcomes';
import { isList, isRow, isText, listKey } from './row';
import type { Row } from './row';
import { sessionLines } from './sessionLines';

/**
 * Session logs of coding assistants (Claude Code and those that write like it): a line holds a `message` and who it belongs to. Messages that were taken back,
 * and those of sub-agents (`isSidechain`), stand beside the main line.
 */
export const sessionLog: RowFormat = {
  id: 'session-log',
  matches: (row) => isList(row[listKey]) && row[listKey].some((line) => isRow(line) && isLine(line)),
  lines: (rows, more) => rows.some(isLine) && (more || rows.some((row) => isLine(row) && roleOf(row) === 'assistant')),
  read: (row, options) => {
    const all = isList(row[listKey]) ? row[listKey].filter(isRow) : [];
    const { main, others } = sessionLines(all.filter(isLine));
    const draft = draftOf(main, options);
    if (isText(draft)) return draft;
    const sideLines = others.flatMap(({ kind, name, lines }): readonly SideDraft[] => {
      const side = draftOf(lines, options);
      return isText(side) ? [] : [{ kind, name, draft: side }];
    });
    const about = all.find((line) => isText(line['sessionId'])) ?? {};
    const session = Object.fromEntries(['sessionId', 'version', 'cwd', 'gitBranch', 'agent', 'workspace'].flatMap((key) => (about[key] === undefined ? [] : [[key, about[key]]])));
    return { ...draft, recorded: recordedOf(session, 'reward'), ...(sideLines.length === 0 ? {} : { sideLines }) };
  },
};

const roleOf = (line: Row): unknown => (isRow(line['message']) ? line['message']['role'] : undefined);
const isLine = (line: Row): boolean => isText(roleOf(line)) && (line['sessionId'] !== undefined || isText(line['uuid']) || line['type'] === roleOf(line));

function draftOf(lines: readonly Row[], options: ReadOptions): Draft | string {
  const said = lines.flatMap((line) => saidIn([line['message']]) ?? []).filter(isSpoken);
  const chat = conversation(said, options);
  if (isText(chat)) return chat;
  // What the interface wrote in the user's name stands in tags.
  const question = said.find(({ role, content }) => role === 'user' && content.trim() !== '' && !/^\s*(?:<[a-z-]+>|Caveat: )/.test(content))?.content;
  return { ...chat, ...(question === undefined ? {} : { question }), notes: [...(chat.notes ?? []), ...cutInCall(said)] };
}

const isSpoken = ({ content, calls, reasoning, role }: Said): boolean => role === 'tool' || content.trim() !== '' || calls.length > 0 || reasoning !== undefined;
