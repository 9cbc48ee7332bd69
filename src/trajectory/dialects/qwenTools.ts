import type { Dialect } from '../dialect';

/** Tool calls and responses as Qwen's chat template writes them (IGPO, DeepResearcher, TIPS, WebDancer, ReCall). */
export const qwenTools: Dialect = {
  id: 'qwen-tools',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '<tool_call>', close: '</tool_call>' },
    observation: { open: '<tool_response>', close: '</tool_response>' },
    answer: { open: '<answer>', close: '</answer>' },
  },
  beforeAction: '\n',
  beforeObservation: '\n<|im_start|>user\n',
  afterObservation: '<|im_end|>\n<|im_start|>assistant\n',
  invalidAction: '',
  endOfAction: '<|im_end|>',
  query: { kind: 'json-call' },
  roles: true,
  answerWithin: [
    { open: '\\boxed{', close: '}' },
    { open: '\\text{', close: '}' },
  ],
};

/** The same for agents whose last message is the answer, without tags. */
export const chatTools: Dialect = { ...qwenTools, id: 'chat-tools', plainAnswer: true };
