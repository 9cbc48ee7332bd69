import type { Dialect } from '../dialect';

/** Search-o1 and WebThinker: reasoning without tags, a boxed answer. */
export const searchO1: Dialect = {
  id: 'search-o1',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '<|begin_search_query|>', close: '<|end_search_query|>' },
    observation: { open: '<|begin_search_result|>', close: '<|end_search_result|>' },
    answer: { open: '\\boxed{', close: '}' },
  },
  beforeAction: '\n',
  beforeObservation: '\n\n',
  afterObservation: '\n\n',
  invalidAction: '',
  moreTools: [
    {
      search: { open: '<|begin_click_link|>', close: '<|end_click_link|>' },
      observation: { open: '<|begin_click_result|>', close: '<|end_click_result|>' },
    },
  ],
  reasoning: 'bare',
  answerWithin: [{ open: '\\text{', close: '}' }],
};
