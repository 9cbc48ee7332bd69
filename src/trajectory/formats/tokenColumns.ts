import type { Recorded, RecordedTokens } from '../model';
import { recordedOf } from '../recorded';
import { defined, numbersOf, others, wholeNumbersOf } from './row';
import type { Row } from './row';

/** Columns that trainers keep figures of a response's tokens under, the plainest first. */
const columns = {
  ids: ['response_ids', 'response_token_ids', 'completion_ids', 'completion_token_ids', 'output_ids', 'responses'],
  mask: ['response_mask', 'loss_mask', 'completion_mask'],
  logprobs: ['rollout_log_probs', 'rollout_logprobs', 'response_logprobs', 'completion_logprobs', 'old_log_probs', 'log_probs', 'logprobs'],
  rewards: ['token_level_rewards', 'token_level_scores'],
  values: ['values'],
  advantages: ['advantages'],
} as const;

/** As {@link recordedOf}, and the tokens of the response where the row has their ids. A list of another length is no list of theirs, and kept by its own name. */
export function recordedWithTokens(row: Row, rewardKey: string): Recorded {
  const idColumn = columns.ids.find((column) => wholeNumbersOf(row[column]) !== undefined);
  const ids = idColumn === undefined ? undefined : wholeNumbersOf(row[idColumn]);
  if (idColumn === undefined || ids === undefined) return recordedOf(row, rewardKey);
  const used: string[] = [idColumn];
  const take = <T>(names: readonly string[], read: (value: unknown) => readonly T[] | undefined): readonly T[] | undefined => {
    const name = names.find((column) => read(row[column])?.length === ids.length);
    if (name !== undefined) used.push(name);
    return name === undefined ? undefined : read(row[name]);
  };
  const tokens = defined<RecordedTokens>({
    ids,
    mask: take(columns.mask, wholeNumbersOf),
    logprobs: take(columns.logprobs, numbersOf),
    rewards: take(columns.rewards, numbersOf),
    values: take(columns.values, numbersOf),
    advantages: take(columns.advantages, numbersOf),
  });
  return { ...recordedOf(others(row, ...used), rewardKey), tokens };
}
