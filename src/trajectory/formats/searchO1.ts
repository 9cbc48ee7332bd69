import { searchO1 as dialect } from '../dialects/searchO1';
import { recordedOf } from '../recorded';
import { sniff } from '../sniff';
import { inWholeChat } from './chatText';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { isText, others } from './row';

/** Search-o1 and WebThinker: a JSON array of `{"Question", "answer", "Output", "Pred_Answer", "Metrics"}`. */
export const searchO1: RowFormat = {
  id: 'search-o1',
  matches: (row) => isText(row['Output']) && (isText(row['Question'] ?? row['question']) || row['Pred_Answer'] !== undefined || row['Metrics'] !== undefined),
  read: (row, options) => {
    const { Output: text } = row;
    const question = row['Question'] ?? row['question'];
    if (!isText(text)) return 'has no "Output" as text, which holds the rollout';
    const prompt = promptIn(row['prompt'] ?? row['Prompt']);
    return {
      ...inWholeChat(text, prompt, sniff(text, options) ?? dialect),
      ...(isText(question) ? { question } : {}),
      ...goldsOf(others(row, 'Output')),
      ...groupOf(row, undefined, question),
      recorded: recordedOf(others(row, 'Output', 'Question', 'question', 'answer', 'prompt', 'Prompt'), 'score'),
    };
  },
};
