import { Tensor, type InferenceSession } from 'onnxruntime-node';
import type { TokenIds } from '../replay/requests';
import { PolicyError } from '../replay/policy';
import { outOfMemory } from './outOfMemory';
import { copyFloats, emptyPast, prefixOf } from './tensors';
import type { DecoderShape } from './decoderShape';

/** Keys and values of the first `length` tokens of a sequence, by the names of the inputs that take them. Never changed once made: any number of branches may start from one. */
export interface KeyValues {
  readonly length: number;
  readonly tensors: Readonly<Record<string, Tensor>>;
}

export interface Forward {
  /** Logits, one row for each row asked for. */
  readonly rows: readonly Float32Array[];
  /** Of the past and the tokens just run; absent where it was not asked for. */
  readonly keyValues?: KeyValues;
}

/** A causal decoder with a key/value cache, one sequence at a time, on the CPU. */
export class Decoder {
  readonly #session: InferenceSession;
  readonly #shape: DecoderShape;
  readonly #pairs: readonly { readonly past: string; readonly present: string }[];
  #ones = new BigInt64Array(0);
  #positions = new BigInt64Array(0);

  constructor(session: InferenceSession, shape: DecoderShape) {
    this.#session = session;
    this.#shape = shape;
    this.#pairs = shape.layers.map(({ past, present }) => ({ past, present }));
  }

  /** The past of a sequence that has not begun. */
  start(): KeyValues {
    return { length: 0, tensors: Object.fromEntries(this.#shape.layers.map(({ past, type, heads, size }) => [past, emptyPast(type, heads, size)])) };
  }

  /** What `keyValues` held when it was `length` tokens long. */
  prefix(keyValues: KeyValues, length: number): KeyValues {
    if (length === keyValues.length) return keyValues;
    const tensors = Object.fromEntries(Object.entries(keyValues.tensors).map(([name, tensor]) => [name, prefixOf(tensor, length)]));
    return { length, tensors };
  }

  /**
   * Runs `tokens` after `past`. `rows`: indices into `tokens` whose next-token logits are wanted; `keep`: whether the cache is.
   * Outputs are copied out of the runtime, so nothing is fetched that was not asked for.
   * Rejects with PolicyError `run-failed` or `out-of-memory`.
   */
  async forward(tokens: TokenIds, past: KeyValues, rows: readonly number[], keep: boolean): Promise<Forward> {
    const fetches = keep ? this.#pairs.map(({ present }) => present) : [];
    if (rows.length > 0 || !keep) fetches.push('logits');
    const outputs = await this.#run(this.#feeds(tokens, past, rows), fetches);
    const logits = outputs['logits'];
    const wanted = logits && rows.map((row) => this.#row(logits, row, tokens.length));
    if (!keep) return { rows: wanted ?? [] };
    const tensors: Record<string, Tensor> = {};
    for (const { past: name, present } of this.#pairs) {
      const tensor = outputs[present];
      if (tensor instanceof Tensor) tensors[name] = tensor;
    }
    return { rows: wanted ?? [], keyValues: { length: past.length + tokens.length, tensors } };
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #feeds(tokens: TokenIds, past: KeyValues, rows: readonly number[]): Record<string, Tensor> {
    const count = tokens.length;
    const total = past.length + count;
    this.#grow(total);
    const ids = new BigInt64Array(count);
    for (let i = 0; i < count; i++) ids[i] = BigInt(tokens[i] ?? 0);
    const feeds: Record<string, Tensor> = { ...past.tensors, input_ids: new Tensor('int64', ids, [1, count]) };
    const asked = this.#shape.inputs;
    if (asked.has('attention_mask')) feeds['attention_mask'] = new Tensor('int64', this.#ones.subarray(0, total), [1, total]);
    if (asked.has('position_ids')) feeds['position_ids'] = new Tensor('int64', this.#positions.subarray(past.length, total), [1, count]);
    if (asked.has('use_cache_branch')) feeds['use_cache_branch'] = new Tensor('bool', [past.length > 0], [1]);
    // Rows are counted from the end there; one is the least that the graph gives.
    if (asked.has('num_logits_to_keep')) feeds['num_logits_to_keep'] = new Tensor('int64', BigInt64Array.of(BigInt(count - (rows[0] ?? count - 1))), []);
    return feeds;
  }

  async #run(feeds: Record<string, Tensor>, fetches: readonly string[]): Promise<InferenceSession.OnnxValueMapType> {
    try {
      return await this.#session.run(feeds, fetches);
    } catch (error) {
      throw runError(error);
    }
  }

  /** `logits` may hold the last rows only. */
  #row(logits: InferenceSession.OnnxValueMapType[string], row: number, count: number): Float32Array {
    if (!(logits instanceof Tensor)) throw new TypeError('logits are no tensor');
    const [, given = 0, vocabulary = 0] = logits.dims;
    return copyFloats(logits, (row - (count - given)) * vocabulary, vocabulary);
  }

  #grow(total: number): void {
    if (this.#ones.length >= total) return;
    const size = Math.max(256, 2 * total);
    this.#ones = new BigInt64Array(size).fill(1n);
    this.#positions = BigInt64Array.from({ length: size }, (_, position) => BigInt(position));
  }
}

function runError(error: unknown): PolicyError {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return outOfMemory(line)
    ? new PolicyError('out-of-memory', 'The policy ran out of memory; close other programs or select a smaller policy, then score again.')
    : new PolicyError('run-failed', `The runtime refused to run the policy: ${line}`);
}
