import { recordedOf } from '../recorded';
import type { ReadOptions } from '../options';
import type { Draft, RowFormat } from './format';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import { callOf } from './messages/said';
import type { Said } from './messages/said';
import { truncatedBy } from './outcomes';
import { isList, isRow, isText, listKey, others } from './row';
import type { Row } from './row';
import { byRun, otherRuns } from './stepRuns';

/**
 * Logs whose lines say by `record_type` what they are: a run, its case, its trajectories, their events (`generation`, `tool`, `observation`) and signals.
 * The first trajectory is the record's main line.
 */
export const eventLog: RowFormat = {
  id: 'event-log',
  matches: (row) => isList(row[listKey]) && isLog(row[listKey].filter(isRow)),
  lines: (rows, more) => isLog(rows) || (more && rows.some(({ record_type: type }) => type === 'trajectory')),
  read: (row, options) => {
    const lines = isList(row[listKey]) ? row[listKey].filter(isRow) : [];
    const [first, ...rest] = byRun(lines.filter(isEvent), 'trajectory_id');
    if (first === undefined) return 'has no events, so no rollout';
    const told = toldIn(lines);
    const draft = runOf(first.steps, told, options);
    return isText(draft) ? draft : { ...draft, ...otherRuns(rest, (run) => runOf(run, told, options)) };
  },
};

const isEvent = (row: Row): boolean => row['record_type'] === 'event' && isText(row['kind']);
const isLog = (rows: readonly Row[]): boolean => rows.some(isEvent);

/** What lines other than events say, by the trajectory that they say it of. */
interface Told {
  readonly question?: string;
  readonly about: ReadonlyMap<unknown, Row>;
  readonly signals: ReadonlyMap<unknown, Readonly<Record<string, unknown>>>;
}

function toldIn(lines: readonly Row[]): Told {
  const about = new Map<unknown, Row>();
  const signals = new Map<unknown, Record<string, unknown>>();
  let question: string | undefined;
  for (const line of lines) {
    const { record_type: type, name, trajectory_id: id } = line;
    if (type === 'case' && isText(name)) question ??= name;
    if (type === 'trajectory') about.set(line['id'], line);
    if (type === 'signal' && isText(name)) signals.set(id, { ...signals.get(id), [name]: line['value'] });
  }
  return { about, signals, ...(question === undefined ? {} : { question }) };
}

function runOf(events: readonly Row[], told: Told, options: ReadOptions): Draft | string {
  const id = events[0]?.['trajectory_id'];
  const chat = conversation(bursts(inOrder(events)).flatMap(saidInBurst), options);
  if (isText(chat)) return chat;
  const about = told.about.get(id) ?? {};
  const { question } = told;
  const ended = [about['termination'], about['status']].find((value) => isText(value));
  return {
    ...chat,
    ...(question === undefined ? {} : { question }),
    ...(isText(about['group_id']) ? { group: about['group_id'] } : {}),
    recorded: recordedOf({ ...others(about, 'record_type', 'id', 'group_id'), ...told.signals.get(id) }, 'reward'),
    notes: [...(chat.notes ?? []), ...(isText(ended) && !/^(?:success|failure|completed|finished|done|stop)/.test(ended) ? [truncatedBy(ended)] : [])],
  };
}

/** By `sequence`, where the events have one. */
function inOrder(events: readonly Row[]): readonly Row[] {
  const place = ({ sequence }: Row): number => (typeof sequence === 'number' && Number.isFinite(sequence) ? sequence : 0);
  return [...events].sort((a, b) => place(a) - place(b));
}

/** Calls with nothing between them are one action. */
function bursts(events: readonly Row[]): readonly (readonly Row[])[] {
  const groups: Row[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (event['kind'] === 'tool' && last?.at(-1)?.['kind'] === 'tool') last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** All calls of an action stand before what they gave back. */
function saidInBurst(events: readonly Row[]): readonly Said[] {
  const said = events.flatMap(saidBy);
  return [...said.filter(({ calls }) => calls.length > 0), ...said.filter(({ calls }) => calls.length === 0)];
}

function saidBy(event: Row): readonly Said[] {
  const { kind, output } = event;
  switch (kind) {
    case 'generation':
    case 'message': {
      const message = isRow(output) ? output : isRow(event['input']) ? event['input'] : event;
      const role = isText(message['role']) ? message['role'] : 'assistant';
      return [{ role, content: contentText(message['content'] ?? message['text'] ?? output), calls: [] }];
    }
    case 'tool': {
      const input = isRow(event['input']) ? event['input'] : {};
      const call = callOf({ ...input, id: event['id'] });
      const answers = isText(event['id']) ? { answers: event['id'] } : {};
      return [{ role: 'assistant', content: '', calls: [call] }, ...(output === undefined || output === null ? [] : [{ role: 'tool', content: contentText(output), calls: [], ...answers }])];
    }
    case 'observation':
      return [{ role: 'tool', content: contentText(event['data'] ?? output), calls: [] }];
    default:
      return [];
  }
}
