import type { RecordedTokens } from '../model';
import { recordedOf } from '../recorded';
import { inWholeChat } from './chatText';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { saidIn } from './messages/said';
import { promptIn } from './prompts';
import { isList, isMessage, isRow, isText, numbersOf, others, wholeNumbersOf } from './row';
import type { Row } from './row';

/** Results of PrimeIntellect's verifiers: `prompt` and `completion`, each a text or messages, with `answer`, `reward` and metrics. */
export const verifiers: RowFormat = {
  id: 'verifiers',
  matches: (row) => isSpoken(row['prompt']) && isSpoken(row['completion']) && !isTrainingData(row),
  read: (row, options) => {
    const { prompt, completion } = row;
    const recorded = recordedIn(row);
    if (isText(completion)) {
      const own = promptIn(prompt);
      return { ...inWholeChat(completion, own), ...goldsOf(row), ...groupOf(row, own), recorded };
    }
    const asked = isText(prompt) ? [{ role: 'user', content: prompt, calls: [] }] : saidIn(prompt);
    const said = saidIn(completion);
    if (asked === undefined || said === undefined) return 'has no "prompt" and "completion" as messages, which hold the rollout';
    const chat = conversation([...asked, ...said], options);
    return isText(chat) ? chat : { ...chat, ...goldsOf(row), ...groupOf(row, chat.prompt), recorded };
  },
};

const isSpoken = (value: unknown): boolean => isText(value) || (isList(value) && value.length > 0 && value.every(isMessage));

/** A prompt and a completion alone are a data set's; a rollout has a score, a gold or a task beside them. */
const isTrainingData = (row: Row): boolean => isText(row['completion']) && !['reward', 'answer', 'task', 'metrics', 'example_id'].some((key) => row[key] !== undefined);

function recordedIn(row: Row): NonNullable<Draft['recorded']> {
  const tokens = tokensIn(row['trajectory']);
  const recorded = recordedOf(others(row, 'prompt', 'completion', 'trajectory', 'answer', 'tool_defs'), 'reward');
  return tokens === undefined ? recorded : { ...recorded, tokens };
}

/** What each request of the rollout generated, one after the other; `undefined` where one of them has no tokens. */
function tokensIn(steps: unknown): RecordedTokens | undefined {
  if (!isList(steps)) return undefined;
  const all = steps.map((step) => (isRow(step) && isRow(step['tokens']) ? step['tokens'] : undefined));
  const ids = all.map((tokens) => wholeNumbersOf(tokens?.['completion_ids']));
  if (ids.length === 0 || ids.some((list) => list === undefined)) return undefined;
  const logprobs = all.map((tokens) => numbersOf(tokens?.['completion_logprobs']));
  const mask = all.map((tokens) => wholeNumbersOf(tokens?.['completion_mask']));
  return {
    ids: ids.flatMap((list) => list ?? []),
    ...(logprobs.every((list) => list !== undefined) ? { logprobs: logprobs.flat() } : {}),
    ...(mask.every((list) => list !== undefined) ? { mask: mask.flat() } : {}),
  };
}
