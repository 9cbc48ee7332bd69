import type { Draft } from './format';
import { isRow } from './row';
import type { Row } from './row';

/** Columns that hold golds, the plainest first; `answer` is last, as some tools call what the policy said so. */
export const goldColumns = [
  'gts', 'ground_truth', 'ground_truths', 'golden_answers', 'golden_answer', 'gold_answers', 'gold_answer', 'golds', 'gold', 'golden', 'answers', 'target',
  'targets', 'gt', 'expected_answer', 'expected_answers', 'reference_answer', 'correct_answer', 'reward_model', 'label', 'solution', 'answer',
];

/** The row's golds, from the columns that hold them; those of `nested` objects after its own. */
export function goldsOf(row: Row, ...nested: readonly unknown[]): { readonly golds?: NonNullable<Draft['golds']> } {
  for (const source of [row, ...nested]) {
    if (!isRow(source)) continue;
    const key = goldColumns.find((column) => source[column] !== undefined && source[column] !== null && holdsGold(column, source[column]));
    if (key !== undefined) return { golds: { key, value: key === 'reward_model' ? goldOfRule(source[key]) : source[key] } };
  }
  return {};
}

/** `reward_model` of the trainers' data sets is a rule with a gold in it. */
const holdsGold = (column: string, value: unknown): boolean => column !== 'reward_model' || goldOfRule(value) !== undefined;
const goldOfRule = (value: unknown): unknown => (isRow(value) ? value['ground_truth'] : undefined);

/** The gold that one of these objects holds under the first of these keys. */
export function goldIn(sources: readonly Row[], ...keys: readonly string[]): { readonly golds?: NonNullable<Draft['golds']> } {
  for (const key of keys) {
    const value = sources.map((source) => source[key]).find((one) => one !== undefined && one !== null);
    if (value !== undefined) return { golds: { key, value } };
  }
  return {};
}
