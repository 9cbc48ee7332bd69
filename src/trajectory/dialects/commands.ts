import type { Dialect } from '../dialect';

/**
 * Agents that write one command a message inside a fence of backticks, after their reasoning (SWE-agent without function calls, mini-swe-agent, InterCode).
 * The environment answers in a user's message, without tags. No message is the answer: what such a run leaves is a state and not a text.
 */
export const commands: Dialect = {
  id: 'commands',
  tags: {
    think: { open: '<think>', close: '</think>' },
    search: { open: '\n```\n', close: '\n```' },
    observation: { open: '', close: '' },
    answer: { open: '<answer>', close: '</answer>' },
  },
  beforeAction: '\n',
  beforeObservation: '\n<|im_start|>user\n',
  afterObservation: '<|im_end|>\n<|im_start|>assistant\n',
  invalidAction: '',
  endOfAction: '<|im_end|>',
  reasoning: 'bare',
  roles: true,
  fenced: true,
};
