import type { Dialect } from '../dialect';

/** ReSearch (and OASES): results inside `<result>`, the answer boxed inside its tags. */
export const research: Dialect = {
  id: 'research',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '<search>', close: '</search>' },
    observation: { open: '<result>', close: '</result>' },
    answer: { open: '<answer>', close: '</answer>' },
  },
  beforeAction: ' ',
  beforeObservation: ' ',
  afterObservation: ' ',
  invalidAction: '',
  answerWithin: [
    { open: '\\boxed{', close: '}' },
    { open: '\\text{', close: '}' },
  ],
};
