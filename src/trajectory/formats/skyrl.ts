import type { Recorded } from '../model';
import { recordedOf } from '../recorded';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { isRow, isText, numbersOf, others } from './row';
import type { Row } from './row';

/** SkyRL, {data_source}.jsonl: `input_prompt`, `output_response`, `score` (a number, or one a token), golds inside `env_extras`. */
export const skyrl: RowFormat = {
  id: 'skyrl',
  matches: (row, cut) => row['input_prompt'] !== undefined && (row['output_response'] !== undefined || cut),
  read: (row) => {
    const { output_response: text, env_extras: extras } = row;
    if (!isText(text)) return 'has no "output_response" as text, which holds the rollout';
    const prompt = promptIn(row['input_prompt']);
    const rule = isRow(extras) ? (extras['reward_spec'] ?? extras['reward_model']) : undefined;
    return { ...inWholeChat(text, prompt), ...goldsOf(row, rule, extras), ...groupOf(row, prompt), recorded: recorded(row) };
  },
};

/** A score by token pays what its tokens sum to. */
function recorded(row: Row): Recorded {
  const rewards = numbersOf(row['score']);
  const columns = others(row, 'input_prompt', 'output_response');
  if (rewards === undefined) return recordedOf(columns, 'score');
  const score = rewards.reduce<number>((sum, reward) => sum + (reward ?? 0), 0);
  return { ...recordedOf({ ...columns, score }, 'score'), tokens: { rewards } };
}
