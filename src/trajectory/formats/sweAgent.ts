import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import type { Draft, RowFormat, SideDraft } from './format';
import { goldIn } from './golds';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import type { Said } from './messages/said';
import { defined, isList, isMessage, isRow, isText, numbersOf, others } from './row';
import type { Row } from './row';
import { saidInSteps } from './sweAgentSteps';
import { outcomeOf } from './sweAgentOutcome';
import { taskIn } from './taskText';

/**
 * SWE-agent's .traj, 0.x and 1.x: `trajectory` (a step: thought, action, observation, the whole response), `history` (the messages), `info`; a retry agent
 * keeps each of its runs in `attempts` and the chosen one beside them; a demonstration may be a `history` alone.
 * Every step is a turn, `submit` too: what a run leaves is a patch and no text, so none of its actions is an answer.
 */
export const sweAgent: RowFormat = {
  id: 'swe-agent',
  matches: (row) => isRun(row) || attemptsOf(row).some(isRun) || isHistory(row['history']),
  read: (row, options) => {
    const attempts = attemptsOf(row);
    const chosen = isRun(row) ? undefined : bestOf(row, attempts);
    const main = chosen === undefined ? row : { ...attempts[chosen], ...others(row, 'trajectory', 'history') };
    const draft = runOf(main, options);
    if (isText(draft)) return draft;
    const best = chosen ?? sameAttempt(row, attempts);
    const sideLines = attempts.flatMap((attempt, i) => (i === best ? [] : attemptDraft(attempt, i, options)));
    if (attempts.length === 0) return draft;
    const lost = attempts.length - sideLines.length - (best === undefined ? 0 : 1);
    return { ...draft, notes: [...(draft.notes ?? []), attemptsNote(row, attempts, best), ...lostNote(lost)], ...(sideLines.length === 0 ? {} : { sideLines }) };
  },
};

const stepsOf = (row: Row): readonly Row[] => (isList(row['trajectory']) ? row['trajectory'].filter(isRow) : []);
/** By their places in the file: one that is no object is empty. */
const attemptsOf = (row: Row): readonly Row[] => (isList(row['attempts']) ? row['attempts'].map((attempt) => (isRow(attempt) ? attempt : {})) : []);

const isStep = (step: Row): boolean => isText(step['action']) && ['observation', 'response', 'thought'].some((key) => isText(step[key]));
const isRun = (row: Row): boolean => stepsOf(row).some(isStep) || (isList(row['trajectory']) && isHistory(row['history']));

/** Messages as SWE-agent keeps them: each says which agent it belongs to. */
const isHistory = (value: unknown): boolean => isList(value) && value.length > 0 && value.every(isMessage) && value.some((item) => isRow(item) && isText(item['agent']));

function runOf(row: Row, options: ReadOptions): Draft | string {
  const history = isList(row['history']) ? row['history'].filter(isRow) : [];
  const first = history.findIndex((entry) => entry['role'] === 'assistant' && entry['is_demo'] !== true);
  const prompt = (first < 0 ? history : history.slice(0, first)).map(promptMessage);
  const said = saidInSteps(stepsOf(row), first < 0 ? [] : history.slice(first));
  if (said === undefined) return 'has no steps, so no rollout';
  const chat = conversation([...prompt, ...said.messages], options, said.dialect);
  if (isText(chat)) return chat;
  const question = questionOf(row, prompt);
  const info = isRow(row['info']) ? row['info'] : {};
  return {
    ...chat,
    ...(question === undefined ? {} : { question }),
    ...goldIn([row, info, extraOf(row)], 'flag'),
    recorded: recordedIn(row),
    notes: [...(chat.notes ?? []), ...outcomeOf(info, said.messages)],
  };
}

/** A demonstration's messages stand in the prompt, whoever speaks in them. */
function promptMessage(entry: Row): Said {
  const role = isText(entry['role']) ? entry['role'] : 'user';
  return { role: role === 'assistant' ? 'user' : role, content: contentText(entry['content']), calls: [] };
}

/** The problem statement that the run was started with; in older files it stands in the last message before the first step. */
function questionOf(row: Row, prompt: readonly Said[]): string | undefined {
  const stated = problemOf(row)['text'];
  if (isText(stated) && stated.trim() !== '') return stated;
  const asked = prompt.findLast(({ role }) => role === 'user');
  return asked === undefined ? undefined : taskIn(asked.content);
}

const extraOf = (row: Row): Row => rowIn(problemOf(row)['extra_fields']);
const problemOf = (row: Row): Row => rowIn(rowIn(row['replay_config'])['problem_statement']);

/** An object, or the text that writes one out. */
function rowIn(value: unknown): Row {
  if (isRow(value)) return value;
  if (!isText(value) || !value.startsWith('{')) return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isRow(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function recordedIn(row: Row): NonNullable<Draft['recorded']> {
  const seconds = stepsOf(row).map((step) => step['execution_time']);
  const turns = defined<Record<string, readonly (number | null)[]>>({ execution_time: seconds.some((time) => typeof time === 'number') ? numbersOf(seconds) : undefined });
  const { execution_time: times } = turns;
  return { ...recordedOf(others(row, 'trajectory', 'history', 'attempts'), 'reward'), ...(times === undefined ? {} : { turns: { execution_time: times } }) };
}

function attemptDraft(attempt: Row, i: number, options: ReadOptions): readonly SideDraft[] {
  const draft = runOf(attempt, options);
  return isText(draft) ? [] : [{ kind: 'attempt', name: `attempt ${String(i + 1)}`, draft }];
}

/** Of runs that are not chosen from yet: the one the file calls the best, else the last. */
const bestOf = (row: Row, attempts: readonly Row[]): number | undefined => statedBest(row, attempts) ?? lastOf(attempts);

function lastOf(attempts: readonly Row[]): number | undefined {
  const index = attempts.findLastIndex(isRun);
  return index < 0 ? undefined : index;
}

const bestIn = ({ info }: Row): unknown => (isRow(info) ? info['best_attempt_idx'] : undefined);

function statedBest(row: Row, attempts: readonly Row[]): number | undefined {
  const index = bestIn(row);
  const attempt = typeof index === 'number' ? attempts[index] : undefined;
  return typeof index === 'number' && attempt !== undefined && isRun(attempt) ? index : undefined;
}

/** The attempt that the run beside them is a copy of. */
function sameAttempt(row: Row, attempts: readonly Row[]): number | undefined {
  const stated = statedBest(row, attempts);
  if (stated !== undefined) return stated;
  const own = JSON.stringify(row['trajectory']);
  const index = attempts.findIndex((attempt) => isRun(attempt) && JSON.stringify(attempt['trajectory']) === own);
  return index < 0 ? undefined : index;
}

function attemptsNote(row: Row, attempts: readonly Row[], best: number | undefined): Finding {
  const count = String(attempts.length);
  const chosen = best !== undefined && best === statedBest(row, attempts);
  const missing = (bestIn(row) ?? undefined) === undefined ? 'as the file names none' : 'as the file names one that it does not hold';
  const why = chosen ? ', which the file chose' : best === lastOf(attempts) ? `, the last, ${missing}` : '';
  const which = best === undefined ? `the run beside the file's ${count} attempt(s)` : `attempt ${String(best + 1)} of ${count}${why}`;
  return otherTrajectories(`This is ${which}.`);
}

const lostNote = (count: number): readonly Finding[] => (count === 0 ? [] : [otherTrajectories(`${String(count)} attempt(s) hold no rollout and are left out.`)]);

const otherTrajectories = (message: string): Finding => ({ code: 'other-trajectories', severity: 'information', message });
