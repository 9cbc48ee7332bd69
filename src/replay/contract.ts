/** What the policy was trained to see: the user's settings over the folder's `turnlens.json` over {@link defaultContract}. */
export interface PolicyContract {
  /** The rollout's user message, with `{question}` filled in once. */
  readonly agentPrompt: string;
  /** The evaluator's user message, with `{question}` and `{state}` filled in once; what is filled in is never read again as a template. */
  readonly evaluatorPrompt: string;
  /** The teacher-forced target is goldPrefix + gold + goldSuffix. */
  readonly goldPrefix: string;
  readonly goldSuffix: string;
  /** Replaces a turn. */
  readonly placeholder: string;
  /** How the policy writes turns. Absent: the file's own. */
  readonly dialect?: string;
  /** A regular expression; dot matches newlines, the last match counts, its first group trimmed. */
  readonly answerPattern: string;
  readonly stop: readonly string[];
  readonly maxAnswerTokens: number;
}

/** Official LOTAPO code (generation.py): no space around the gold. */
export const defaultContract: PolicyContract = {
  agentPrompt:
    'Answer the question. Think inside <think> and </think>, then search with <search>query</search>; results come back inside <information> and </information>. When you know the answer, give it inside <answer> and </answer>.\nQuestion: {question}',
  evaluatorPrompt:
    'Answer the question using only the reasoning and search results so far. Do not search. Give only the final answer, inside <answer> and </answer>.\nQuestion: {question}\n\n{state}',
  goldPrefix: "<think>Now there's enough information to answer</think>\n<answer>",
  goldSuffix: '</answer>',
  placeholder: '[DELETE]',
  answerPattern: '<answer>(.*?)</answer>',
  stop: [],
  maxAnswerTokens: 64,
};

/** Where the chat template speaks of `<think>`, the policy thinks before it answers. */
export const thinkingAnswerTokens = 1024;

/**
 * Fills `{name}` placeholders once, left to right; what is filled in is never read again. Other braces mean nothing.
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));
}
