/** Inputs that the edits add. All int64 but the bias, which is float32 whatever the graph computes in. */
export const addedInput = {
  /** [rows]: which tokens of the run go through the head. */
  rows: 'score_rows',
  /** [rows]: the token whose log-probability is wanted there. */
  targets: 'score_targets',
  /** [1, 1, tokens, past + tokens], added to every layer's attention scores before the softmax. */
  bias: 'attention_bias',
  /** [1, tokens]. Most exports have it already. */
  positions: 'position_ids',
} as const;

/** What a graph with gathered rows gives, each [rows]. */
export const rowOutput = {
  /** Nats, of the target. float32. */
  logprob: 'row_logprob',
  /** Nats, of the whole distribution. float32. */
  entropy: 'row_entropy',
  /** How many tokens are likelier than the target; counted in float32, exact below 2^24. */
  rank: 'row_rank',
  /** The likeliest token. int64. */
  best: 'row_best',
  /** Nats, of the likeliest token. float32. */
  bestLogprob: 'row_best_logprob',
  /** Distance between the best and the second logit. float32. */
  margin: 'row_margin',
} as const;

/** As every exporter calls it; after the edit [1, rows, vocabulary]. */
export const logits = 'logits';

/** Prefix of every value that an edit adds: none of an exporter's begins so. */
export const own = (name: string): string => `turnlens/${name}`;

/** What belongs to one input of the key/value cache; `undefined`: the input is none. */
export function cacheNames(past: string): CacheNames | undefined {
  const match = /^past_key_values\.(\d+\.(?:decoder\.)?(?:key|value))$/.exec(past);
  if (!match) return undefined;
  const layer = match[1] ?? '';
  return { present: `present.${layer}`, recent: `recent_key_values.${layer}`, added: `added.${layer}` };
}

interface CacheNames {
  /** The output that continues it, as every exporter calls it. */
  readonly present: string;
  /** After the edit: the input for the columns that stand behind those of the past. */
  readonly recent: string;
  /** After the edit: the output with the columns of the run alone. */
  readonly added: string;
}
