import type { Dialect } from '../dialect';

/** ReAct as FireAct writes it; the original's numbered labels and LangChain's `Action Input:` are read too. */
export const react: Dialect = {
  id: 'react',
  tags: {
    think: { open: 'Thought: ', close: '' },
    search: { open: 'Action: search[', close: ']' },
    observation: { open: 'Observation: ', close: '' },
    answer: { open: 'Action: finish[', close: ']' },
  },
  beforeAction: '\n',
  beforeObservation: '\n',
  afterObservation: '\n',
  invalidAction: '',
  labels: {
    think: ['thought'],
    action: ['action'],
    input: ['action input'],
    observation: ['observation'],
    answer: ['final answer'],
    finish: ['finish', 'final answer', 'answer'],
  },
};
