import type { Arrangement, Condition, SortKey } from './arrange';

export const sortWords: Readonly<Record<SortKey, string>> = {
  file: 'Order in the file',
  outcome: 'Outcome',
  reward: 'Sum of process rewards',
  worst: 'Reward of the worst turn',
  best: 'Reward of the best turn',
  turns: 'Turns',
  findings: 'Findings',
};

export const conditionWords: Readonly<Record<Condition, string>> = {
  failed: 'Outcome below 1',
  scored: 'Scored',
  spikes: 'With a spike',
  findings: 'With findings',
  damaged: 'Cannot be read',
};

/** What makes the view look other than the file; empty where nothing does. */
export function arrangementWords({ sort, order, conditions, text }: Arrangement): string {
  const filters = [...conditions.map((condition) => lower(conditionWords[condition])), ...(text === '' ? [] : [`“${text}”`])];
  return [filters.length > 0 ? `Filter: ${filters.join(', ')}.` : '', sort === 'file' && order === 'ascending' ? '' : `Sorted by ${lower(sortWords[sort])}, ${order}.`].filter((part) => part !== '').join(' ');
}

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);
