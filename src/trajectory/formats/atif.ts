import { keptVersion, readKept } from '../atif/kept';
import { stepsFingerprint } from '../atif/fingerprint';
import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import { quote } from '../visible';
import { walk } from './atif/steps';
import { embeddedIn, subAgents } from './atif/subAgents';
import type { Embedded } from './atif/subAgents';
import { tokensOfSteps } from './atif/tokens';
import type { Draft, KeptDraft, RowFormat, SideDraft } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';
import { deepest } from './sideLines';

/** ATIF, the Agent Trajectory Interchange Format (Harbor's RFC 0001; VS Code's chat exports it too): steps with tool calls and observations. */
export const atif: RowFormat = {
  id: 'atif',
  matches: (row, cut) => {
    const { schema_version: version, steps } = row;
    if (isText(version) && /^ATIF\b/i.test(version)) return cut || isList(steps);
    return isList(steps) && isRow(row['agent']) && steps.length > 0 && steps.every((step) => isRow(step) && isText(step['source']) && step['step_id'] !== undefined);
  },
  read: (row, options) => readAtif(row, options, 0),
};

/** @param depth documents around this one */
function readAtif(row: Row, options: ReadOptions, depth: number): Draft | KeptDraft | string {
  const { steps } = row;
  if (!isList(steps)) return 'has no "steps", which hold the rollout';
  const embedded = embeddedIn(row).map((one): Embedded => ({ row: one, draft: depth < deepest ? readAtif(one, options, depth + 1) : 'stands too deep within others' }));
  const own = isRow(row['extra']) ? row['extra']['turnlens'] : undefined;
  const kept = own === undefined ? undefined : keptIn(own, steps, embedded);
  return typeof kept === 'object' ? kept : readSteps(row, steps, embedded, options, kept);
}

/** What the document was written from, unless its steps are others by now; a text: why it does not count. */
function keptIn(own: unknown, steps: readonly unknown[], embedded: readonly Embedded[]): KeptDraft | string {
  const kept = readKept(own);
  if (kept === undefined) return isRow(own) && own['version'] !== keptVersion ? 'is of another version of Turnlens' : 'is damaged';
  if (kept.steps !== stepsFingerprint(steps)) return 'says something else than the steps, which were changed since';
  const sideLines = kept.sideLines.flatMap((line, i): readonly SideDraft[] => {
    const { row, draft } = embedded[i] ?? {};
    return row?.['trajectory_id'] !== line.name || draft === undefined || isText(draft) ? [] : [{ ...line, draft }];
  });
  if (sideLines.length !== embedded.length || sideLines.length !== kept.sideLines.length) return 'names other sub-agent trajectories than the document holds';
  return { kept: kept.trajectory, ...(kept.scores === undefined ? {} : { scored: kept.scores }), sideLines };
}

/** @param unkept why what Turnlens kept does not count, where there is such */
function readSteps(row: Row, steps: readonly unknown[], embedded: readonly Embedded[], options: ReadOptions, unkept: string | undefined): Draft | string {
  const walked = walk(steps);
  if (walked.first < 0) return 'holds no step of the agent, so no rollout';
  const chat = conversation(walked.said, options, undefined, walked.first);
  if (isText(chat)) return chat;
  const extra = isRow(row['extra']) ? others(row['extra'], 'turnlens') : {};
  const { question } = extra;
  const lines = subAgents(embedded, walked);
  const tokens = tokensOfSteps(steps);
  return {
    ...chat,
    ...(isText(question) ? { question } : {}),
    ...goldsOf(extra),
    ...groupOf(extra, chat.prompt, question),
    ...(isText(row['continued_trajectory_ref']) ? { ending: 'damaged' } : {}),
    recorded: { ...recordedOf({ ...extra, ...columnsOf(row) }, 'reward'), ...(tokens === undefined ? {} : { tokens }) },
    notes: [...versionNotes(row['schema_version']), ...keptNotes(unkept), ...continued(row), ...(chat.notes ?? []), ...walked.notes, ...lines.notes],
    sideLines: lines.sideLines,
  };
}

/** What the document says of the run, without the tools' descriptions. */
function columnsOf(row: Row): Row {
  const columns = others(row, 'steps', 'subagent_trajectories', 'extra', 'schema_version');
  return isRow(row['agent']) ? { ...columns, agent: others(row['agent'], 'tool_definitions') } : columns;
}

/** The newest version that this was written for. */
const newest = { major: 1, minor: 8 };

function versionNotes(version: unknown): readonly Finding[] {
  const [, major, minor] = /(\d{1,6})\.(\d{1,6})/.exec(isText(version) ? version : '') ?? [];
  if (major === undefined || minor === undefined) return [];
  if (Number(major) < newest.major || (Number(major) === newest.major && Number(minor) <= newest.minor)) return [];
  const message = `The file is ${quote(String(version))}, newer than what is known here (v${String(newest.major)}.${String(newest.minor)}); it is read as far as it is understood.`;
  return [{ code: 'newer-version', severity: 'information', message }];
}

const keptNotes = (why: string | undefined): readonly Finding[] =>
  why === undefined ? [] : [{ code: 'kept-copy-differs', severity: 'warning', message: `What Turnlens kept in the document ("extra.turnlens") ${why}; the steps are read instead, and scores in it are left out.` }];

function continued({ continued_trajectory_ref: next }: Row): readonly Finding[] {
  if (!isText(next)) return [];
  return [{ code: 'other-trajectories', severity: 'information', message: `The run goes on in another file (${quote(next, 80)}), so what came of it is not known here.` }];
}
