import type { RecordedTokens } from '../../model';
import { isRow, numbersOf, wholeNumbersOf } from '../row';

/** What each step of the agent generated, one after the other; `undefined` where one of them has no tokens. */
export function tokensOfSteps(steps: readonly unknown[]): RecordedTokens | undefined {
  const metrics = steps.filter(isRow).flatMap((step) => (step['source'] === 'agent' && step['is_copied_context'] !== true ? [isRow(step['metrics']) ? step['metrics'] : {}] : []));
  const ids = metrics.map((one) => wholeNumbersOf(one['completion_token_ids']));
  if (ids.length === 0 || ids.some((list) => list === undefined)) return undefined;
  const logprobs = metrics.map((one) => numbersOf(one['logprobs']));
  return { ids: ids.flatMap((list) => list ?? []), ...(logprobs.every((list) => list !== undefined) ? { logprobs: logprobs.flat() } : {}) };
}
