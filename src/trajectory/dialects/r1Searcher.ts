import type { Dialect } from '../dialect';

/** R1-Searcher: the prompt ends inside `<think>`, and the policy searches while it thinks. */
export const r1Searcher: Dialect = {
  id: 'r1-searcher',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '<|begin_of_query|>', close: '<|end_of_query|>' },
    observation: { open: '<|begin_of_documents|>', close: '<|end_of_documents|>' },
    answer: { open: '<answer>', close: '</answer>' },
  },
  beforeAction: '\n\n',
  beforeObservation: '\n\n',
  afterObservation: '\n\n',
  invalidAction: '',
  reasoning: 'spanning',
};
