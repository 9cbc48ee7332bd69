import { r1Searcher as dialect } from '../dialects/r1Searcher';
import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { goldIn, goldsOf } from './golds';
import { groupOf } from './group';
import { isText, others } from './row';

/** R1-Searcher's evaluation (JSONL): the rollout is `gen_text_store`, and begins inside the think tag that the prompt opened. */
export const r1SearcherEval: RowFormat = {
  id: 'r1-searcher',
  matches: (row) => isText(row['gen_text_store']) || (row['stop_reason_final'] !== undefined && row['pred_ans'] !== undefined),
  read: (row) => {
    const { question, gen_text_store: text } = row;
    if (!isText(text)) return 'has no "gen_text_store" as text, which holds the rollout';
    return {
      rollout: { text, dialect },
      ...(isText(question) ? { question } : {}),
      ...goldIn([row], 'answer'),
      ...groupOf(row, undefined, question),
      recorded: recordedOf(others(row, 'gen_text_store', 'question', 'answer'), 'score'),
    };
  },
};

/** Its reward log: `{"question", "solution", "score", "finished"}`; the solution is the rollout, and there is no gold. */
export const r1SearcherRewards: RowFormat = {
  id: 'r1-searcher-rewards',
  matches: (row) => isText(row['question']) && isText(row['solution']) && row['finished'] !== undefined,
  read: (row) => {
    const { question, solution } = row;
    if (!isText(solution)) return 'has no "solution" as text, which holds the rollout';
    return {
      rollout: { text: solution, dialect },
      ...(isText(question) ? { question } : {}),
      ...goldsOf(others(row, 'solution')),
      ...groupOf(row, undefined, question),
      recorded: recordedOf(others(row, 'solution', 'question'), 'score'),
    };
  },
};
