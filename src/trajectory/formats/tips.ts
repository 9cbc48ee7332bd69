import type { Recorded } from '../model';
import { recordedOf } from '../recorded';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { isRow, isText, numbersOf, others } from './row';

/** TIPS, rollout_data/rollout_step_N.json: an array of `{"prompt", "response", "main_score", "ground_truth", "info_reward": {"phi_values", …}}`. */
export const tips: RowFormat = {
  id: 'tips',
  matches: (row) => isText(row['response']) && (row['info_reward'] !== undefined || row['main_score'] !== undefined),
  read: (row) => {
    const { response } = row;
    if (!isText(response)) return 'has no "response" as text, which holds the rollout';
    const prompt = promptIn(row['prompt']);
    const recorded = recordedOf(others(row, 'prompt', 'response', 'info_reward', 'ground_truth'), 'main_score');
    return { ...inWholeChat(response, prompt), ...goldsOf(row), ...groupOf(row, prompt), recorded: { ...recorded, ...figuresOf(row['info_reward']) } };
  },
};

/** Potentials belong to the states, their differences and rewards to the turns. */
function figuresOf(info: unknown): Pick<Recorded, 'states' | 'turns'> {
  if (!isRow(info)) return {};
  const [phi, delta, rewards] = [numbersOf(info['phi_values']), numbersOf(info['delta_phi']), numbersOf(info['info_rewards'])];
  const turns = { ...(delta === undefined ? {} : { delta_phi: delta }), ...(rewards === undefined ? {} : { info_rewards: rewards }) };
  return { ...(phi === undefined ? {} : { states: { phi_values: phi } }), ...(Object.keys(turns).length === 0 ? {} : { turns }) };
}
