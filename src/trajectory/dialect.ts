import type { DialectId } from './model';

/** A pair of literal tags. */
export interface TagPair {
  readonly open: string;
  readonly close: string;
}

export type TagKind = 'think' | 'search' | 'observation' | 'answer';

/**
 * How a policy writes its turns and what the environment writes around an observation, as literal strings: a grammar that is data.
 * Everything the environment does not write by this grammar is policy text.
 */
export interface Dialect {
  readonly id: DialectId;
  readonly tags: Readonly<Record<TagKind, TagPair>>;
  /** Between the closing think tag and the action, and between parallel searches of one action. */
  readonly beforeAction: string;
  /** What the environment writes before and after the observation's tags. */
  readonly beforeObservation: string;
  readonly afterObservation: string;
  /** What the environment writes, without tags, after an action that is neither a search nor an answer. */
  readonly invalidAction: string;
}

/** Search-R1 (search_r1/llm_agent/generation.py), also LOTAPO, StepSearch and ZeroSearch. */
export const searchR1: Dialect = {
  id: 'search-r1',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '<search>', close: '</search>' },
    observation: { open: '<information>', close: '</information>' },
    answer: { open: '<answer>', close: '</answer>' },
  },
  beforeAction: '\n',
  beforeObservation: '\n\n',
  afterObservation: '\n\n',
  invalidAction:
    '\nMy previous action is invalid. If I want to search, I should put the query between <search> and </search>. If I want to give the final answer, I should put the answer between <answer> and </answer>. Let me try again.\n',
};

export const builtinDialects: readonly Dialect[] = [searchR1];

/** The dialect of that name, the caller's own before the built-in ones. */
export function findDialect(id: DialectId, own: readonly Dialect[] = []): Dialect | undefined {
  return [...own, ...builtinDialects].find((dialect) => dialect.id === id);
}
