import type { Score } from '../../credit/score';
import type { TurnScore } from '../../scoring/model';
import type { ShownScores } from '../scoreBook';
import { damagedKey, type RolloutRow } from './row';

export type SortKey = 'file' | 'outcome' | 'reward' | 'worst' | 'best' | 'turns' | 'findings';
export type Condition = 'failed' | 'scored' | 'spikes' | 'findings' | 'damaged';

/** How the rollouts of a file are shown. */
export interface Arrangement {
  readonly sort: SortKey;
  readonly order: 'ascending' | 'descending';
  /** A rollout is shown where all of them hold. */
  readonly conditions: readonly Condition[];
  /** A rollout is shown where its question, its answer, a finding or its number has this. Empty: all are. */
  readonly text: string;
  readonly group: 'question' | 'none';
}

export const fileOrder: Arrangement = { sort: 'file', order: 'ascending', conditions: [], text: '', group: 'question' };

/** Everything is shown, in the same order. */
export const unfiltered = (how: Arrangement): Arrangement => ({ ...how, conditions: fileOrder.conditions, text: fileOrder.text });

export const isFiltered = ({ conditions, text }: Arrangement): boolean => conditions.length > 0 || text !== '';

/** A rollout, and what it was scored where it was. */
export interface Listed {
  readonly row: RolloutRow;
  readonly shown?: ShownScores;
}

export interface QuestionGroup {
  /** Unique within the file: {@link RolloutRow.group}. */
  readonly key: string;
  /** Its first record in the file, shown or not: the same where the question is read otherwise. */
  readonly first: number;
  /** Empty: records that cannot be read. */
  readonly question: string;
  readonly rollouts: readonly Listed[];
}

/**
 * Filters and sorts rollouts and gathers them by question; questions stand in the order of their first rollout, behind the records that cannot be read:
 * these are seen first.
 */
export function arrange(rollouts: readonly Listed[], { sort, order, conditions, text, group }: Arrangement): QuestionGroup[] {
  const words = text.toLowerCase();
  const kept = rollouts.filter((listed) => conditions.every((condition) => holds[condition](listed)) && says(listed.row, words));
  const sorted = sort === 'file' && order === 'ascending' ? kept : kept.sort(comparing(sort, order === 'ascending' ? 1 : -1));
  if (group === 'none') return sorted.length === 0 ? [] : [{ key: 'all', first: 0, question: '', rollouts: sorted }];
  const firsts = new Map<string, number>();
  for (const { row } of rollouts) if (!firsts.has(row.group)) firsts.set(row.group, row.record);
  const groups = new Map<string, QuestionGroup & { readonly rollouts: Listed[] }>();
  for (const listed of sorted) {
    const key = listed.row.group;
    const known = groups.get(key);
    if (known) known.rollouts.push(listed);
    else groups.set(key, { key, first: firsts.get(key) ?? 0, question: listed.row.question, rollouts: [listed] });
  }
  const damaged = groups.get(damagedKey);
  return damaged ? [damaged, ...[...groups.values()].filter((g) => g !== damaged)] : [...groups.values()];
}

/** @param words in lower case */
const says = ({ question, answer, messages, problem, record }: RolloutRow, words: string): boolean =>
  words === '' || [question, answer ?? '', ...messages.map(({ message }) => message), problem ?? '', `#${record}`].some((text) => text.toLowerCase().includes(words));

const holds: Readonly<Record<Condition, (listed: Listed) => boolean>> = {
  failed: ({ row }) => row.outcome.kind === 'value' && row.outcome.value < 1,
  scored: ({ shown }) => shown !== undefined,
  spikes: ({ shown }) => shown?.scores.turns.some((turn) => turn.spike) ?? false,
  findings: ({ row }) => row.findings > 0,
  damaged: ({ row }) => row.problem !== undefined,
};

/** What is not known stands last in either order. */
function comparing(key: SortKey, sign: 1 | -1): (a: Listed, b: Listed) => number {
  return (a, b) => {
    const [x, y] = [figure(a, key), figure(b, key)];
    if (x === y) return a.row.record - b.row.record;
    if (x === undefined) return 1;
    if (y === undefined) return -1;
    return sign * (x - y);
  };
}

function figure({ row, shown }: Listed, key: SortKey): number | undefined {
  switch (key) {
    case 'file':
      return row.record;
    case 'turns':
      return row.turns;
    case 'findings':
      return row.findings;
    case 'outcome':
      return known(row.outcome);
    case 'reward':
      return shown && known(shown.scores.checks.rewardSum);
    case 'worst':
      return shown && known(extremes(shown.scores.turns)?.worst.processReward);
    case 'best':
      return shown && known(extremes(shown.scores.turns)?.best.processReward);
  }
}

const known = (score: Score | undefined): number | undefined => (score?.kind === 'value' ? score.value : undefined);

/** The turns with the highest and the lowest process reward, of equal ones by their gain; `undefined` where no turn has a reward. */
export function extremes(turns: readonly TurnScore[]): { readonly best: TurnScore; readonly worst: TurnScore } | undefined {
  const ranked = turns.filter((turn) => turn.processReward.kind === 'value').sort((a, b) => rank(a.processReward, b.processReward) || rank(a.gain, b.gain));
  const [worst, best] = [ranked[0], ranked.at(-1)];
  return worst && best ? { best, worst } : undefined;
}

const rank = (a: Score, b: Score): number => (known(a) ?? 0) - (known(b) ?? 0);
