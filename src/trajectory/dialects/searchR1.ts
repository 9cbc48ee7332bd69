import type { Dialect } from '../dialect';

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

/** SubSearch: parallel queries in one pair of tags. */
export const subSearch: Dialect = { ...searchR1, id: 'subsearch', query: { kind: 'list', separator: '##' } };

/** ASearcher: pages are opened in tags of their own and come back as documents do. */
export const aSearcher: Dialect = { ...searchR1, id: 'asearcher', moreTools: [{ search: { open: '<access>', close: '</access>' }, observation: searchR1.tags.observation }] };
