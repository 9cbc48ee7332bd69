import { recordedOf } from '../recorded';
import type { Finding } from '../model';
import type { Draft, RowFormat, SideDraft } from './format';
import { goldIn, goldsOf } from './golds';
import { turnsOf } from './messages/callTurns';
import { conversation } from './messages/conversation';
import { eventBranches } from './openHandsBranches';
import { isCurrentEvent, saidInCurrent } from './openHandsCurrent';
import { isLegacyEvent, saidInLegacy } from './openHandsLegacy';
import type { SaidEvents } from './openHandsLegacy';
import { cutInCall, notShown, replacedContext, truncatedBy } from './outcomes';
import { isList, isRow, isText, listKey, others } from './row';
import type { Row } from './row';
import { branchesOf, deepest } from './sideLines';
import { taskIn } from './taskText';
import type { ReadOptions } from '../options';
import { chatTools } from '../dialects/qwenTools';

/** Keys that hold the events: of an evaluation's output, of an exported conversation, of the events' own API. */
const columns = ['history', 'trajectory', 'events', listKey] as const;

/**
 * OpenHands: the events of a conversation (a list of them, or a file with one a line), and a line of an evaluation's output.jsonl, whose `history` holds
 * events or, in older ones, pairs of an action and its observation. Both generations of events are read: `action` and `observation`, and `kind`.
 */
export const openHands: RowFormat = {
  id: 'openhands',
  matches: (row) => eventsOf(row) !== undefined,
  lines: (rows, more) => (more || rows.length > 1) && eventsOf({ [listKey]: rows }) !== undefined,
  read: (row, options) => {
    const { main, branches } = eventBranches(eventsOf(row) ?? [], row['leaf_event_id']);
    const said = saidInEvents(main);
    const chat = draftOf(said, row, options, 0);
    if (isText(chat)) return chat;
    const sideLines = [...(chat.sideLines ?? []), ...branchesOf(branches.map((events) => draftOf(saidInEvents(events), {}, options, 0)))];
    const instance = isRow(row['instance']) ? row['instance'] : {};
    const result = isRow(row['test_result']) ? row['test_result'] : {};
    const question = questionOf(row, instance, said);
    const id = row['instance_id'];
    return {
      ...chat,
      ...(question === undefined ? {} : { question }),
      ...goldsOf(instance),
      ...goldIn([instance], 'Final answer'),
      ...goldIn([result], 'ground_truth', 'gold_answer'),
      ...(isText(id) || typeof id === 'number' ? { group: String(id) } : {}),
      recorded: recordedOf(others(row, ...columns, 'instruction', 'instance', 'leaf_event_id'), 'reward'),
      notes: [...(chat.notes ?? []), ...outcomeOf(row, result, said)],
      ...(sideLines.length === 0 ? {} : { sideLines }),
    };
  },
};

function eventsOf(row: Row): readonly Row[] | undefined {
  for (const column of columns) {
    const list = row[column];
    if (!isList(list) || list.length === 0) continue;
    // Older evaluations keep pairs; a pair's second half may be null.
    const events = list.flatMap((item): readonly unknown[] => (isList(item) ? item : [item])).filter(isRow);
    if (events.some(isCurrentEvent) || events.filter(isLegacyEvent).length * 2 > events.length) return events;
  }
  return undefined;
}

const saidInEvents = (events: readonly Row[]): SaidEvents => (events.some(isCurrentEvent) ? saidInCurrent(events) : saidInLegacy(events));

function draftOf(said: SaidEvents, row: Row, options: ReadOptions, depth: number): Draft | string {
  const { instruction } = row;
  const asked = said.messages.some(({ role }) => role === 'user') || !isText(instruction) ? [] : [{ role: 'user', content: instruction, calls: [] }];
  // The agent's own words after its last call are its answer; a call of `finish` brings them.
  const read = conversation([...asked, ...said.messages], options, chatTools);
  if (isText(read)) return read;
  const chat = { ...read, notes: [...(read.notes ?? []), ...replacedNotes(said)] };
  if (depth >= deepest) return said.delegated.length === 0 ? chat : { ...chat, notes: [...chat.notes, tooDeep(said.delegated.length)] };
  const sideLines = said.delegated.flatMap(({ name, turn, events }): readonly SideDraft[] => {
    const draft = draftOf(saidInLegacy(events), {}, options, depth + 1);
    return isText(draft) ? [] : [{ kind: 'sub-agent', name, turn, draft }];
  });
  return sideLines.length === 0 ? chat : { ...chat, sideLines };
}

function replacedNotes({ messages, forgotten }: SaidEvents): readonly Finding[] {
  const turns = turnsOf(messages);
  return [...new Set(forgotten.map((at) => turns[at - 1] ?? 0))].map((turn) => replacedContext('The history was condensed here', turn));
}

const tooDeep = (count: number): Finding => ({ code: 'other-trajectories', severity: 'information', message: `${String(count)} delegation(s) stand too deep within others; they are left out.` });

function questionOf(row: Row, instance: Row, { messages }: SaidEvents): string | undefined {
  const stated = instance['problem_statement'] ?? instance['Question'] ?? instance['question'];
  if (isText(stated) && stated.trim() !== '') return stated;
  const { instruction } = row;
  const asked = isText(instruction) && instruction.trim() !== '' ? instruction : messages.find(({ role }) => role === 'user')?.content;
  return asked === undefined ? undefined : (taskIn(asked) ?? asked);
}

function outcomeOf(row: Row, result: Row, { messages, stopped, finished }: SaidEvents): readonly Finding[] {
  const { error } = row;
  const said = isText(error) && error.trim() !== '' ? error : stopped;
  const cut = said !== undefined ? [truncatedBy(said)] : finished ? [] : cutInCall(messages);
  const report = isRow(row['report']) ? row['report'] : isRow(result['report']) ? result['report'] : {};
  const resolved = [row['resolved'], report['resolved'], result['resolved']].includes(true);
  const patch = result['git_patch'] ?? row['git_patch'];
  const edits = messages.some(({ calls }) => calls.length > 0);
  const empty = isText(patch) ? patch.trim() === '' : !edits;
  return resolved && empty ? [...cut, notShown('the task was resolved', 'there is no patch')] : cut;
}
