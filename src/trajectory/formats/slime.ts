import type { RecordedTokens } from '../model';
import { recordedOf } from '../recorded';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { defined, isText, numbersOf, others, questionIn, wholeNumbersOf } from './row';

/** Samples of slime and its kin, exported as JSON: `prompt`, `response`, `tokens`, `loss_mask`, `rollout_log_probs`, `reward`, `label`. */
export const slime: RowFormat = {
  id: 'slime',
  matches: (row) => isText(row['response']) && (row['loss_mask'] !== undefined || row['response_length'] !== undefined || row['rollout_log_probs'] !== undefined),
  read: (row) => {
    const { response, tokens: all, response_length: length } = row;
    if (!isText(response)) return 'has no "response" as text, which holds the rollout';
    const prompt = promptIn(row['prompt']);
    const every = wholeNumbersOf(all);
    const ids = every !== undefined && typeof length === 'number' && length > 0 ? every.slice(-length) : every;
    const tokens = defined<RecordedTokens>({
      ids,
      mask: wholeNumbersOf(row['loss_mask']),
      logprobs: numbersOf(row['rollout_log_probs']),
      rewards: numbersOf(row['reward']),
      values: numbersOf(row['values']),
      advantages: numbersOf(row['advantages']),
    });
    const question = questionIn(row);
    return {
      ...inWholeChat(response, prompt),
      ...(question === undefined ? {} : { question }),
      ...goldsOf(row),
      ...groupOf(row, prompt),
      recorded: { ...recordedOf(others(row, 'prompt', 'response', 'tokens', 'loss_mask', 'rollout_log_probs', 'values', 'advantages'), 'reward'), ...(Object.keys(tokens).length === 0 ? {} : { tokens }) },
    };
  },
};
