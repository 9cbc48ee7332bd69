import { commands } from '../dialects/commands';
import { inFence } from '../fenced';
import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import { readCall } from '../toolCall';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import { callOf } from './messages/said';
import type { Call, Said } from './messages/said';
import { cutInCall } from './outcomes';
import { isList, isRow, isText, listKey, numbersOf, others } from './row';
import type { Row } from './row';
import { byRun, otherRuns } from './stepRuns';

/**
 * One step a line (or an element of a list): an `action` and the `observation` it brought, or the calls of a step with their results in `tool_events`.
 * Runs that share a file are told apart by the column that names them; the first is the record's main line.
 */
export const stepTrace: RowFormat = {
  id: 'step-trace',
  matches: (row) => isList(row[listKey]) && isTrace(row[listKey].filter(isRow)),
  lines: (rows, more) => isTrace(rows) && (more || rows.length > 1 || rows.some((row) => isList(row['tool_events']))),
  read: (row, options) => {
    const steps = isList(row[listKey]) ? row[listKey].filter(isRow) : [];
    const [first, ...rest] = byRun(steps.filter(isStep));
    if (first === undefined) return 'has no steps, so no rollout';
    const draft = runOf(first.steps, options);
    return isText(draft) ? draft : { ...draft, ...otherRuns(rest, (run) => runOf(run, options)) };
  },
};

const isStep = (row: Row): boolean => isList(row['tool_events']) || (isSaid(row['action']) && isSaid(row['observation']) && !isText(row['source']));

const isSaid = (value: unknown): boolean => isText(value) || isRow(value) || value === null;

/** The first line decides; a few of another kind (a header, a summary) may stand between. */
const isTrace = (rows: readonly Row[]): boolean => rows.length > 0 && rows.filter(isStep).length * 2 > rows.length && rows.some((row) => isList(row['tool_events']) || isText(row['action']) || isRow(row['action']));

function runOf(steps: readonly Row[], options: ReadOptions): Draft | string {
  const [first = {}] = steps;
  const task = ['task', 'question', 'instruction', 'goal', 'problem', 'query'].map((key) => first[key]).find((value) => isText(value) && value.trim() !== '');
  const calls = steps.some((step) => isList(step['tool_events']) || actionCall(step['action']) !== undefined);
  const said = steps.flatMap((step) => (calls ? called(step) : commanded(step)));
  const asked: readonly Said[] = isText(task) ? [{ role: 'user', content: task, calls: [] }] : [];
  const chat = conversation([...asked, ...said], options, calls ? undefined : commands);
  if (isText(chat)) return chat;
  return {
    ...chat,
    ...(isText(task) ? { question: questionOf(task) } : {}),
    ...goldsOf(others(first, 'answer', 'action', 'solution', 'target', 'label')),
    ...groupOf({}, chat.prompt, task),
    recorded: recordedIn(steps),
    notes: [...(chat.notes ?? []), ...shortened(steps), ...cutInCall(said)],
  };
}

/** A task may begin with what the agent is. */
function questionOf(task: string): string {
  const at = task.lastIndexOf('Task: ');
  return at < 0 ? task : task.slice(at + 'Task: '.length);
}

function called(step: Row): readonly Said[] {
  const events = isList(step['tool_events']) ? step['tool_events'].filter(isRow) : [];
  const { observation } = step;
  const own = actionCall(step['action']);
  const calls = events.length > 0 ? events.map(callOfEvent) : own === undefined ? [] : [own];
  // The text of such a step is made of its calls and what they gave back.
  const spoken = events.length > 0 && isMadeOfCalls(contentText(step['text']).trim()) ? '' : contentText(step['text'] ?? step['thought'] ?? step['message']);
  // Beside a list of events an action is the name of what the step did.
  const acted = calls.length === 0 && isText(step['action']) && (spoken === '' || !isList(step['tool_events'])) ? step['action'] : '';
  const content = endsWithLines(spoken, acted) ? spoken : [spoken, acted].filter((part) => part !== '').join('\n');
  const results = events.map((event): Said => ({ role: 'tool', content: contentText(event['result'] ?? event['output'] ?? event['error']), calls: [], ...answersOf(event) }));
  const back: readonly Said[] = events.length > 0 ? results : observation === undefined || observation === null || observation === '' ? [] : [{ role: calls.length > 0 ? 'tool' : 'user', content: contentText(observation), calls: [] }];
  return [{ role: 'assistant', content, calls }, ...back];
}

/** Whether a text's last lines are these: it may hold the whole of what the step wrote. */
const endsWithLines = (text: string, lines: string): boolean => `\n${text.trim()}`.endsWith(`\n${lines.trim()}`);

/** `[name({…}) -> result]` */
const isMadeOfCalls = (text: string): boolean => text.startsWith('[') && text.endsWith(']') && text.includes(' -> ');

const callOfEvent = (event: Row): Call => callOf({ name: event['name'] ?? event['tool'], arguments: event['args'] ?? event['arguments'] ?? event['input'], ...(idOf(event) === undefined ? {} : { id: idOf(event) }) });

const idOf = ({ id }: Row): string | undefined => (isText(id) && id !== '' ? id : undefined);

function answersOf(event: Row): { readonly answers?: string } {
  const id = idOf(event);
  return id === undefined ? {} : { answers: id };
}

/** An action that is an object, or the text of one, is a call. */
function actionCall(action: unknown): Call | undefined {
  if (isText(action)) return readCall(action) === undefined ? undefined : { text: action };
  return isRow(action) && ['name', 'tool', 'function'].some((key) => action[key] !== undefined) ? callOf({ name: action['name'] ?? action['tool'] ?? action['function'], arguments: action['arguments'] ?? action['args'] ?? action['input'] ?? action['parameters'] }) : undefined;
}

function commanded(step: Row): readonly Said[] {
  const thought = contentText(step['thought'] ?? step['reasoning']);
  const said: Said = { role: 'assistant', content: [thought, inFence(contentText(step['action']))].filter((part) => part !== '').join('\n'), calls: [] };
  return step['observation'] === null ? [said] : [said, { role: 'user', content: contentText(step['observation']), calls: [] }];
}

/** Columns with a figure for each step. */
const figures = ['reward', 'latency_s', 'output_tokens', 'score'];

function recordedIn(steps: readonly Row[]): NonNullable<Draft['recorded']> {
  const turns = figures.flatMap((name) => {
    const values = numbersOf(steps.map((step) => step[name]));
    return values?.some((value) => value !== null) === true ? [[name, values] as const] : [];
  });
  const last = steps.at(-1) ?? {};
  const recorded = recordedOf(others(last, 'text', 'action', 'observation', 'thought', 'tool_events', 'task', ...figures), 'total_reward');
  return turns.length === 0 ? recorded : { ...recorded, turns: Object.fromEntries(turns) };
}

function shortened(steps: readonly Row[]): readonly Finding[] {
  const count = steps.filter(({ tool_events: events }) => isList(events) && events.some((event) => isRow(event) && event['result_truncated'] === true)).length;
  if (count === 0) return [];
  return [{ code: 'truncated-observation', severity: 'warning', message: `Of ${String(count)} step(s) the file keeps a result only in part; what the policy read was longer.` }];
}
