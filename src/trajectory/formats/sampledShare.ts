import { promptColumns, rolloutColumns } from './flatRow';
import { goldColumns } from './golds';
import { messagesIn } from './messages/written';
import { roleOf } from './prompts';
import { isList, isRow, isText, others, questionColumns, questionIn } from './row';
import type { Row } from './row';

/** Lists of figures, one a sample, and what one of them is. */
const singular: ReadonlyMap<string, string> = new Map([
  ['scores', 'score'],
  ['rewards', 'reward'],
]);

/** What a row says of its i-th rollout without the text: the row without its rollouts, and of lists of `count` figures the i-th. */
export function sharedBy(row: Row, column: string, count: number): (i: number) => Row {
  const entries = Object.entries({ ...others(row, column, 'messages', ...mirrored(row)), ...promptOf(row), ...askedOfDoc(row) });
  const isForEach = (key: string, value: unknown): value is readonly unknown[] => isList(value) && value.length === count && !notSplit.includes(key) && value.every(isFigure);
  const common = Object.fromEntries(entries.filter(([key, value]) => !isForEach(key, value)));
  const each = entries.flatMap(([key, value]) => (isForEach(key, value) ? [{ key: singular.get(key) ?? key, list: value }] : []));
  return (i) => ({ ...common, ...Object.fromEntries(each.map(({ key, list }) => [key, list[i]])) });
}

const notSplit = [...goldColumns, ...promptColumns, ...questionColumns];
const isFigure = (value: unknown): boolean => value === null || typeof value === 'number' || typeof value === 'boolean' || (isList(value) && value.every((item) => item === null || typeof item === 'number'));

/** Some files repeat the first rollout, or the best, beside the list. */
const mirrored = (row: Row): readonly string[] => rolloutColumns.filter((column) => isText(row[column]));

/** Messages beside the rollouts are what these go on from. */
function promptOf(row: Row): Row {
  const list = messagesIn(row['messages']);
  if (list === undefined || row['prompt'] !== undefined) return {};
  const first = list.findIndex((message) => roleOf(message['role'] ?? message['from']) === 'assistant');
  return first === 0 ? {} : { prompt: first < 0 ? list : list.slice(0, first) };
}

/** lm-eval's samples keep the row of the data set, and what the policy read. */
function askedOfDoc({ doc, arguments: given, ...row }: Row): Row {
  if (row['resps'] === undefined || !isRow(doc)) return {};
  const question = questionIn(doc);
  const first = isRow(given) ? given['gen_args_0'] : isList(given) ? given[0] : undefined;
  const prompt = isRow(first) ? first['arg_0'] : isList(first) ? first[0] : undefined;
  return { ...(question === undefined ? {} : { question }), ...(isText(prompt) ? { prompt } : {}) };
}
