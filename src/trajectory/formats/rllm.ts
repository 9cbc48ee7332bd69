import type { RecordedTokens } from '../model';
import type { ReadOptions } from '../options';
import { recordedOf } from '../recorded';
import type { Draft, RowFormat, SideDraft } from './format';
import { goldsOf } from './golds';
import { conversation } from './messages/conversation';
import { contentText } from './messages/content';
import { saidIn } from './messages/said';
import type { Said } from './messages/said';
import { defined, isList, isRow, isText, numbersOf, others, wholeNumbersOf } from './row';
import type { Row } from './row';

/** rLLM episodes: `{"id": "task:rollout", "task", "is_correct", "trajectories": [{"name", "reward", "steps": […]}]}`. The first trajectory is the main line. */
export const rllm: RowFormat = {
  id: 'rllm',
  matches: (row) => trajectoriesOf(row).some((trajectory) => isList(trajectory['steps'])),
  read: (row, options) => {
    const [first, ...others] = trajectoriesOf(row);
    const main = first === undefined ? 'has no trajectory with steps' : readTrajectory(row, first, options);
    if (isText(main)) return main;
    const sideLines = others.flatMap((trajectory): readonly SideDraft[] => {
      const draft = readTrajectory(row, trajectory, options);
      const { name } = trajectory;
      return isText(draft) ? [] : [{ kind: 'sub-agent', name: isText(name) ? name : '', draft }];
    });
    return { ...main, sideLines, notes: [...(main.notes ?? []), ...unread(others.length - sideLines.length)] };
  },
};

function readTrajectory(row: Row, trajectory: Row, options: ReadOptions): Draft | string {
  const steps = stepsOf(trajectory);
  if (steps.length === 0) return 'has no trajectory with steps';
  const said = saidInSteps(steps, row['task']);
  const chat = said === undefined ? 'has steps without messages' : conversation(said, options);
  if (isText(chat)) return chat;
  const task = row['task'] ?? trajectory['task'];
  const question = isText(task) ? task : isRow(task) ? (task['question'] ?? task['problem']) : undefined;
  const id = row['id'];
  return {
    ...chat,
    ...(isText(question) ? { question } : {}),
    ...goldsOf(isRow(task) ? task : {}, row),
    ...(isText(id) && id.includes(':') ? { group: id.slice(0, id.lastIndexOf(':')) } : {}),
    recorded: recordedIn(row, trajectory, steps),
  };
}

const trajectoriesOf = (row: Row): readonly Row[] => (isList(row['trajectories']) ? row['trajectories'].filter(isRow) : []);
const stepsOf = (trajectory: Row): readonly Row[] => (isList(trajectory['steps']) ? trajectory['steps'].filter(isRow) : []);

const unread = (count: number): NonNullable<Draft['notes']> =>
  count === 0 ? [] : [{ code: 'other-trajectories', severity: 'information', message: `The episode holds ${String(count)} more trajector${count === 1 ? 'y' : 'ies'} without steps that can be read.` }];

/** The last step's chat holds all before it; without chats, what each step said and observed. */
function saidInSteps(steps: readonly Row[], task: unknown): readonly Said[] | undefined {
  const chats = steps.map((step) => saidIn(step['chat_completions']));
  const last = chats.at(-1);
  if (last !== undefined) return last;
  const said = steps.flatMap((step) => {
    const action = step['model_response'] ?? step['action'];
    const back = step['next_observation'] ?? step['observation'];
    return [
      ...(action === undefined || action === null ? [] : [{ role: 'assistant', content: contentText(action), calls: [] }]),
      ...(back === undefined || back === null || back === '' ? [] : [{ role: 'user', content: contentText(back), calls: [] }]),
    ];
  });
  return said.length === 0 ? undefined : [{ role: 'user', content: contentText(task), calls: [] }, ...said];
}

function recordedIn(row: Row, trajectory: Row, steps: readonly Row[]): NonNullable<Draft['recorded']> {
  const tokens = tokensIn(steps);
  const by = (name: string): readonly (number | null)[] | undefined => {
    const figures = steps.map((step) => step[name]);
    return figures.some((figure) => typeof figure === 'number') ? numbersOf(figures) : undefined;
  };
  const turns = defined<Record<string, readonly (number | null)[]>>({ reward: by('reward'), mc_return: by('mc_return'), advantage: by('advantage') });
  return {
    ...recordedOf({ ...others(row, 'task', 'trajectories'), reward: trajectory['reward'] }, 'reward'),
    ...(Object.keys(turns).length === 0 ? {} : { turns: turns as Record<string, readonly (number | null)[]> }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

function tokensIn(steps: readonly Row[]): RecordedTokens | undefined {
  const ids = steps.map((step) => wholeNumbersOf(step['response_ids']));
  if (ids.some((list) => list === undefined)) return undefined;
  const logprobs = steps.map((step) => numbersOf(step['logprobs']));
  return { ids: ids.flatMap((list) => list ?? []), ...(logprobs.every((list) => list !== undefined) ? { logprobs: logprobs.flat() } : {}) };
}
