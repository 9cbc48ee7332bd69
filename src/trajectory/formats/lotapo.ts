import { searchR1 } from '../dialects/searchR1';
import { recordedOf } from '../recorded';
import type { RowFormat } from './format';
import { goldsOf } from './golds';
import { groupOf } from './group';
import { promptIn } from './prompts';
import { isList, isRow, isText, others } from './row';
import type { Row } from './row';

/** LOTAPO's diagnostics.jsonl (verl/trainer/counterfactual_ig_diagnostic.py): every figure of every turn beside the rollout. */
export const lotapo: RowFormat = {
  id: 'lotapo-diagnostics',
  matches: (row) => isText(row['response_text']) || (row['question_index'] !== undefined && turnsOf(row).some((turn) => turn['raw_ig'] !== undefined || turn['information_text'] !== undefined)),
  read: (row) => {
    const turns = turnsOf(row);
    const text = isText(row['response_text']) ? row['response_text'] : turns.map((turn) => textOf(turn)).join('');
    if (text === '') return 'has no "response_text" and no turns with "text", which hold the rollout';
    const prompt = promptIn(row['prompt']);
    return {
      rollout: { text, dialect: searchR1 },
      ...(prompt === undefined ? {} : { prompt }),
      ...(isText(row['question']) ? { question: row['question'] } : {}),
      ...goldsOf(row),
      ...groupOf(row, prompt),
      recorded: { ...recordedOf(others(row, 'prompt', 'response_text', 'turns', 'ground_truth', 'full_context_before_target'), 'total_reward'), turns: figuresOf(turns) },
    };
  },
};

const turnsOf = (row: Row): readonly Row[] => (isList(row['turns']) ? row['turns'].filter(isRow) : []);

const textOf = (turn: Row): string => [turn['text'], turn['information_text']].filter(isText).join('');

/** By turn, the final one left out, every column that is a number somewhere. */
function figuresOf(turns: readonly Row[]): Readonly<Record<string, readonly (number | null)[]>> {
  const searches = turns.filter((turn) => turn['is_answer_turn'] !== true);
  const names = new Set(searches.flatMap((turn) => Object.keys(turn).filter((name) => name !== 'turn' && typeof turn[name] === 'number')));
  return Object.fromEntries(
    [...names].map((name) => {
      const figures = searches.map((turn) => turn[name]).map((value) => (typeof value === 'number' ? value : null));
      return [name, figures];
    }),
  );
}
