import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { conversation } from './messages/conversation';
import { responseItems } from './messages/responseItems';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/** Items of OpenAI's Responses API, as NeMo Gym keeps them: `{"responses_create_params": {"input"}, "response": {"output"}, "reward", …}`. */
export const responses: RowFormat = {
  id: 'responses',
  matches: (row) => isRow(row['responses_create_params']) || isItems(outputOf(row)),
  read: (row, options) => {
    const output = outputOf(row);
    if (!isList(output)) return 'has no "output" items, which hold the rollout';
    const asked = isRow(row['responses_create_params']) ? row['responses_create_params'] : row;
    const chat = conversation([...responseItems(instructed(asked)), ...responseItems(output)], options);
    if (isText(chat)) return chat;
    const { question } = row;
    return {
      ...chat,
      ...(isText(question) ? { question } : {}),
      ...goldsOf(others(row, 'output')),
      ...groupOf(row, chat.prompt, question),
      recorded: recordedOf(others(row, 'responses_create_params', 'response', 'output', 'input', 'question', 'tools'), 'reward'),
    };
  },
};

const outputOf = (row: Row): unknown => (isRow(row['response']) ? row['response']['output'] : row['output']);

const isItems = (value: unknown): boolean => isList(value) && value.length > 0 && value.every((item) => isRow(item) && isText(item['type'])) && value.some((item) => isRow(item) && /^(?:message|function_call|reasoning)$/.test(String(item['type'])));

/** What was asked: instructions first, then the input, which is a text or items. */
function instructed({ instructions, input }: Row): readonly unknown[] {
  const system = isText(instructions) && instructions !== '' ? [{ type: 'message', role: 'system', content: instructions }] : [];
  return [...system, ...(isText(input) ? [{ type: 'message', role: 'user', content: input }] : isList(input) ? input : [])];
}
