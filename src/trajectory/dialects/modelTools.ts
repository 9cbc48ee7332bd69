import type { Dialect } from '../dialect';
import { chatTools } from './qwenTools';

const nothing = { open: '', close: '' };

/** Calls in tags of XML that stand in a message as they are (SWE-agent's `xml_function_calling` and SWE-smith, OpenHands, R2E-Gym); what came back is a user's or a tool's message. */
export const functionTools: Dialect = {
  ...chatTools,
  id: 'function-tools',
  tags: { ...chatTools.tags, search: { open: '<function=', close: '</function>' } },
  query: { kind: 'json-call', syntax: 'function-tags' },
};

/** Harmony, the format of gpt-oss: reasoning in the channel `analysis`, calls to a recipient, the answer in the channel `final`. */
export const harmony: Dialect = {
  id: 'harmony',
  tags: {
    think: { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
    search: { open: '<|channel|>commentary to=', close: '<|call|>' },
    observation: nothing,
    answer: { open: '<|channel|>final<|message|>', close: '<|return|>' },
  },
  beforeAction: '<|start|>assistant',
  beforeObservation: '<|start|>tool to=assistant<|channel|>commentary<|message|>',
  afterObservation: '<|end|><|start|>assistant',
  invalidAction: '',
  query: { kind: 'json-call', syntax: 'channels' },
  markers: ['<|start|>assistant', '<|channel|>commentary', '<|channel|>analysis', '<|channel|>final', '<|message|>', '<|end|>', '<|call|>', '<|return|>', 'to='],
  plainAnswer: true,
  roles: true,
};

/** Kimi K2's own calls. */
export const kimiTools: Dialect = {
  ...chatTools,
  id: 'kimi-tools',
  tags: { ...chatTools.tags, search: { open: '<|tool_call_begin|>', close: '<|tool_call_end|>' }, observation: nothing },
  beforeAction: '',
  beforeObservation: '<|im_system|>tool<|im_middle|>',
  afterObservation: '<|im_end|><|im_assistant|>assistant<|im_middle|>',
  query: { kind: 'json-call', syntax: 'numbered' },
  aroundCalls: { open: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>' },
  markers: ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
};

/** The calls of DeepSeek V3, R1 and V3.1, which answers them without a marker of its own. */
export const deepseekTools: Dialect = {
  ...chatTools,
  id: 'deepseek-tools',
  tags: {
    ...chatTools.tags,
    search: { open: '<｜tool▁call▁begin｜>', close: '<｜tool▁call▁end｜>' },
    observation: { open: '<｜tool▁output▁begin｜>', close: '<｜tool▁output▁end｜>' },
  },
  beforeAction: '',
  beforeObservation: '',
  afterObservation: '',
  endOfAction: '<｜end▁of▁sentence｜>',
  query: { kind: 'json-call', syntax: 'separated' },
  aroundCalls: { open: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' },
  markers: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
};

/** Mistral's calls, a list of JSON or one by its name, up to the message's end. */
export const mistralTools: Dialect = {
  ...chatTools,
  id: 'mistral-tools',
  tags: { ...chatTools.tags, search: { open: '[TOOL_CALLS]', close: '' }, observation: nothing },
  beforeAction: '',
  beforeObservation: '[TOOL_RESULTS]',
  afterObservation: '[/TOOL_RESULTS]',
  endOfAction: '</s>',
  query: { kind: 'json-call', syntax: 'open-ended' },
  markers: ['[TOOL_CALLS] [', '[TOOL_CALLS]['],
};

/** Llama 3's calls, behind the token that says that a program follows, up to the message's end. */
export const llamaTools: Dialect = {
  ...chatTools,
  id: 'llama-tools',
  tags: { ...chatTools.tags, search: { open: '<|python_tag|>', close: '' }, observation: nothing },
  beforeAction: '',
  beforeObservation: '<|start_header_id|>ipython<|end_header_id|>\n\n',
  afterObservation: '<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
  endOfAction: '<|eom_id|>',
  query: { kind: 'json-call', syntax: 'open-ended' },
  bareCalls: true,
};
