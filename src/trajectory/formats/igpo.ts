import type { RecordedTokens } from '../model';
import { recordedOf } from '../recorded';
import { inWholeChat } from './chatText';
import type { Draft, RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { defined, isList, isText, numbersOf, others } from './row';
import type { Row } from './row';
import { readDump } from './verl';

/** IGPO and DeepResearcher, {step}.jsonl: verl's columns with `info_gain_rewards` by turn, `rewards` by token, and F1 and EM of each rollout. */
export const igpo: RowFormat = {
  id: 'igpo',
  matches: (row) => isText(row['input']) && (isList(row['info_gain_rewards']) || row['noformatf1_scores'] !== undefined || row['f1_scores'] !== undefined),
  read: (row) => {
    const draft = readDump(row, recorded(row));
    return isText(draft) ? draft : { ...draft, ...splitGolds(row) };
  },
};

/** The same trainers' rollout_step_N.json: an array of `{"idx", "question", "message_str"}`, the chat as one text. */
export const igpoMessages: RowFormat = {
  id: 'igpo-messages',
  matches: (row) => isText(row['message_str']),
  read: (row) => {
    const { message_str: text, question } = row;
    if (!isText(text)) return 'has no "message_str" as text, which holds the rollout';
    return {
      ...inWholeChat(text, undefined),
      ...(isText(question) ? { question } : {}),
      ...splitGolds(row),
      ...groupOf(row, undefined, question),
      recorded: recordedOf(others(row, 'message_str', 'question'), 'reward'),
    };
  },
};

function recorded(row: Row): NonNullable<Draft['recorded']> {
  const gains = numbersOf(row['info_gain_rewards']);
  const rewards = numbersOf(row['rewards']);
  const tokens: Partial<RecordedTokens> = defined<RecordedTokens>({ rewards });
  const score = [row['score'], row['f1_scores'], row['em_scores']].find((value) => typeof value === 'number');
  return {
    ...recordedOf({ ...others(row, 'input', 'output', 'info_gain_rewards', ...(rewards === undefined ? [] : ['rewards'])), ...(score === undefined ? {} : { score }) }, 'score'),
    ...(gains === undefined ? {} : { turns: { info_gain_rewards: gains } }),
    ...(rewards === undefined ? {} : { tokens }),
  };
}

const separator = '<|answer_split|>';

/** Several golds in one text. */
function splitGolds(row: Row): Pick<Draft, 'golds'> {
  const { golds } = goldsOf(row);
  if (golds === undefined) return {};
  return { golds: isText(golds.value) && golds.value.includes(separator) ? { key: golds.key, value: golds.value.split(separator) } : golds };
}
