import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import type { Draft, RowFormat } from './format';
import { turnsOf } from './messages/callTurns';
import { conversation } from './messages/conversation';
import { responseItems } from './messages/responseItems';
import type { Said } from './messages/said';
import { cutInCall, replacedContext } from './outcomes';
import { isList, isRow, isText, listKey } from './row';
import type { Row } from './row';
import { branchesOf } from './sideLines';

/**
 * Session logs of Codex: a line is an item of the Responses API, in an envelope (`{"type": "response_item", "payload"}`) or, in older ones, bare with marks
 * like `{"record_type": "state"}` between them. Lines that only the interface wrote are left out; what the user undid stands beside the main line.
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
    const { main, undone } = saidInLines(lines, system);
    const draft = draftOf(main, options);
    const sideLines = branchesOf(undone.map((part) => draftOf(part, options)));
    const recorded = recordedOf({ session: meta }, 'reward');
    if (!isText(draft)) return { ...draft, recorded, ...(sideLines.length === 0 ? {} : { sideLines }) };
    const last = sideLines.at(-1)?.draft;
    return last === undefined || 'kept' in last ? draft : { ...last, recorded, sideLines: sideLines.slice(0, -1), notes: [allUndone, ...(last.notes ?? [])] };
  },
};

interface Part {
  readonly said: readonly Said[];
  /** Where in it the session was compacted. */
  readonly compacted: readonly number[];
}

/** What stands in the end, and what the user undid, each time the last turns (`thread_rolled_back`): from that many of the user's messages on. */
function saidInLines(lines: readonly Row[], system: readonly Said[]): { readonly main: Part; readonly undone: readonly Part[] } {
  const said: Said[] = [...system];
  const compacted: number[] = [];
  const undone: Part[] = [];
  /** Where the user's messages stand. */
  const asked: number[] = [];
  for (const line of lines) {
    const turns = undoneTurns(line);
    const [from] = turns > 0 ? asked.splice(Math.max(0, asked.length - turns)) : [];
    if (from !== undefined) {
      const first = compacted.findLastIndex((at) => at <= from) + 1;
      undone.push({ said: said.splice(from), compacted: compacted.splice(first).map((at) => at - from) });
    }
    if (isCompaction(line)) compacted.push(said.length);
    // One by one: more than a call takes arguments.
    else
      for (const one of responseItems(itemsOf([line]))) {
        if (isAsked(one)) asked.push(said.length);
        said.push(one);
      }
  }
  return { main: { said, compacted }, undone };
}

/** How many of its last turns a line says that the user undid. */
function undoneTurns({ payload }: Row): number {
  const turns = isRow(payload) && payload['type'] === 'thread_rolled_back' ? payload['num_turns'] : 0;
  return Number.isSafeInteger(turns) ? Number(turns) : 0;
}

/** What the program wrote in the user's name is marked, or stands in tags. */
const isAsked = ({ role, content }: Said): boolean => role === 'user' && !/^\s*(?:<|# AGENTS\.md)/.test(content);

function draftOf({ said, compacted }: Part, options: ReadOptions): Draft | string {
  const chat = conversation(said, options);
  if (isText(chat)) return chat;
  const question = said.find(isAsked)?.content;
  return { ...chat, ...(question === undefined ? {} : { question }), notes: [...(chat.notes ?? []), ...replacedNotes(said, compacted), ...cutInCall(said)] };
}

const allUndone: Finding = { code: 'other-trajectories', severity: 'information', message: 'The user undid all that the policy had said; it is shown as it stood before the last time.' };

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
