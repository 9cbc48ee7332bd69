import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Finding } from '../model';
import type { Draft, RowFormat, SideDraft } from './format';
import { turnsOf } from './messages/callTurns';
import { conversation } from './messages/conversation';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { cutInCall, replacedContext, truncatedBy } from './outcomes';
import { isList, isRow, isText, listKey } from './row';
import type { Row } from './row';
import { sessionLines } from './sessionLines';
import { subAgentTurns } from './sessionTurns';

/**
 * Session logs of coding assistants (Claude Code and those that write like it): a line holds a `message` and who it belongs to. Messages that were taken back,
 * and those of sub-agents (`isSidechain`), stand beside the main line; a sub-agent's own file is its.
 */
export const sessionLog: RowFormat = {
  id: 'session-log',
  matches: (row) => isList(row[listKey]) && row[listKey].some((line) => isRow(line) && isLine(line)),
  lines: (rows, more) => rows.some(isLine) && (more || rows.some((row) => isLine(row) && roleOf(row) === 'assistant')),
  read: (row, options) => {
    const all = isList(row[listKey]) ? row[listKey].filter(isRow) : [];
    const { main, others } = sessionLines(all.filter(isLine));
    const spoken = spokenIn(main, options);
    if (isText(spoken)) return spoken;
    const { draft, said } = spoken;
    const turns = subAgentTurns(main, said);
    const sideLines = others.flatMap(({ kind, name, agent, lines }): readonly SideDraft[] => {
      const side = spokenIn(lines, options);
      if (isText(side)) return [];
      const turn = kind === 'branch' ? undefined : turns(agent, side.draft.question);
      return [{ kind, name, draft: side.draft, ...(turn === undefined ? {} : { turn }) }];
    });
    const about = all.find((line) => isText(line['sessionId'])) ?? {};
    const session = Object.fromEntries(['sessionId', 'version', 'cwd', 'gitBranch', 'agent', 'workspace'].flatMap((key) => (about[key] === undefined ? [] : [[key, about[key]]])));
    return { ...draft, recorded: recordedOf(session, 'reward'), ...(sideLines.length === 0 ? {} : { sideLines }) };
  },
};

const roleOf = (line: Row): unknown => (isRow(line['message']) ? line['message']['role'] : undefined);
const isLine = (line: Row): boolean => isText(roleOf(line)) && (line['sessionId'] !== undefined || isText(line['uuid']) || line['type'] === roleOf(line));

/** What the interface wrote in the policy's name: errors of the service, and words that stand for an answer of none. */
const isStandIn = (line: Row): boolean => line['isApiErrorMessage'] === true || (isRow(line['message']) && line['message']['model'] === '<synthetic>');

interface Spoken {
  readonly draft: Draft;
  readonly said: readonly Said[];
}

function spokenIn(lines: readonly Row[], options: ReadOptions): Spoken | string {
  const own = lines.filter((line) => !isStandIn(line));
  const saidByLine = own.map((line) => (saidIn([line['message']]) ?? []).filter(isSpoken));
  const said = saidByLine.flat();
  const chat = conversation(said, options);
  if (isText(chat)) return chat;
  // What the interface wrote in the user's name is marked, or stands in tags.
  const asked = said.filter(({ role, content }) => role === 'user' && content.trim() !== '' && !/^\s*(?:<[a-z-]+>|Caveat: )/.test(content));
  const marked = new Set(own.flatMap((line, i) => (line['isMeta'] === true || line['isCompactSummary'] === true ? (saidByLine[i] ?? []) : [])));
  const question = (asked.find((message) => !marked.has(message)) ?? asked[0])?.content;
  const turns = turnsOf(said);
  let at = 0;
  const replaced = own.flatMap((line, i) => {
    const turn = turns[at] ?? 0;
    at += saidByLine[i]?.length ?? 0;
    return line['isCompactSummary'] === true ? [replacedContext('The session was compacted here', turn)] : [];
  });
  const notes = [...(chat.notes ?? []), ...replaced, ...standInNotes(lines), ...cutInCall(said)];
  return { draft: { ...chat, ...(question === undefined ? {} : { question }), notes }, said };
}

const isSpoken = ({ content, calls, reasoning, role }: Said): boolean => role === 'tool' || content.trim() !== '' || calls.length > 0 || reasoning !== undefined;

/** An error that nothing of the policy follows is how the run ended. */
function standInNotes(lines: readonly Row[]): readonly Finding[] {
  const standIns = lines.filter(isStandIn);
  if (standIns.length === 0) return [];
  const left: Finding = {
    code: 'no-model-call',
    severity: 'information',
    message: `${String(standIns.length)} message(s) in the policy's name were written by the program around it (an error of the service or the like); they are left out.`,
  };
  const last = lines.findLast((line) => roleOf(line) === 'assistant');
  const error = last?.['isApiErrorMessage'] === true ? (saidIn([last['message']]) ?? []).map(({ content }) => content).join('\n') : '';
  return error === '' ? [left] : [left, truncatedBy(error)];
}
