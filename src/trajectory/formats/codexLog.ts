import type { Finding } from '../model';
import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { turnsOf } from './messages/callTurns';
import { conversation } from './messages/conversation';
import { responseItems } from './messages/responseItems';
import type { Said } from './messages/said';
import { cutInCall, replacedContext } from './outcomes';
import { isList, isRow, isText, listKey } from './row';
import type { Row } from './row';

/**
 * Session logs of Codex: a line is an item of the Responses API, in an envelope (`{"type": "response_item", "payload"}`) or, in older ones, bare with marks
 * like `{"record_type": "state"}` between them. Lines that only the interface wrote are left out.
 */
export const codexLog: RowFormat = {
  id: 'codex-log',
  matches: (row) => isList(row[listKey]) && isLog(row[listKey].filter(isRow)),
  lines: (rows, more) => isLog(rows) && (more || itemsOf(rows).some(isPolicys)),
  read: (row, options) => {
    const lines = isList(row[listKey]) ? row[listKey].filter(isRow) : [];
    const meta = metaOf(lines);
    const instructions = isText(meta['instructions']) ? meta['instructions'] : isRow(meta['base_instructions']) ? meta['base_instructions']['text'] : undefined;
    const system: readonly Said[] = isText(instructions) && instructions !== '' ? [{ role: 'system', content: instructions, calls: [] }] : [];
    const said: Said[] = [...system];
    const compacted: number[] = [];
    for (const line of lines) {
      if (isCompaction(line)) compacted.push(said.length);
      // One by one: more than a call takes arguments.
      else for (const one of responseItems(itemsOf([line]))) said.push(one);
    }
    const chat = conversation(said, options);
    if (isText(chat)) return chat;
    const question = said.find(({ role, content }) => role === 'user' && !/^\s*(?:<|# AGENTS\.md)/.test(content))?.content;
    return { ...chat, ...(question === undefined ? {} : { question }), recorded: recordedOf({ session: meta }, 'reward'), notes: [...(chat.notes ?? []), ...replacedNotes(said, compacted), ...cutInCall(said)] };
  },
};

/** A summary took the place of what stands before. */
const isCompaction = (line: Row): boolean => line['type'] === 'compacted' || [line, line['payload']].some((item) => isRow(item) && isText(item['type']) && /^compaction(?:_summary)?$/.test(item['type']));

function replacedNotes(said: readonly Said[], compacted: readonly number[]): readonly Finding[] {
  const turns = turnsOf(said);
  return [...new Set(compacted.map((at) => turns[at - 1] ?? 0))].map((turn) => replacedContext('The session was compacted here', turn));
}

const items = ['message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output', 'local_shell_call', 'local_shell_call_output', 'web_search_call'];
const isItem = (row: Row): boolean => isText(row['type']) && items.includes(row['type']);
const isPolicys = ({ type, role }: Row): boolean => (type === 'message' ? role === 'assistant' : isText(type) && !type.endsWith('_output'));
const isEnveloped = (row: Row): boolean => row['type'] === 'response_item' && isRow(row['payload']);

/** Bare items need a mark of the log, or to be all there is. */
function isLog(rows: readonly Row[]): boolean {
  if (rows.some((row) => isEnveloped(row) || (row['type'] === 'session_meta' && isRow(row['payload'])))) return true;
  const bare = rows.filter(isItem).length;
  return bare > 0 && (rows.some((row) => row['record_type'] === 'state') || bare === rows.length || (bare === rows.length - 1 && isText(rows[0]?.['id']) && rows[0]['type'] === undefined));
}

function itemsOf(lines: readonly Row[]): readonly Row[] {
  return lines.flatMap((line) => (isEnveloped(line) && isRow(line['payload']) ? [line['payload']] : isItem(line) ? [line] : [])).filter(isItem);
}

function metaOf(lines: readonly Row[]): Row {
  const [first = {}] = lines;
  const meta = lines.find(({ type }) => type === 'session_meta');
  if (isRow(meta?.['payload'])) return meta['payload'];
  return first['type'] === undefined && isText(first['id']) ? first : {};
}
