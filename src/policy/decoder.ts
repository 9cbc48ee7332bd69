import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { lengthOf, positionsOf, treeBias, type Stretch } from '../replay/branch';
import type { TokenIds } from '../replay/requests';
import { PolicyError } from '../replay/policy';
import { addedInput, logits, rowOutput } from './graph/names';
import { outOfMemory } from './outOfMemory';
import { gatheredRows, logitRows, rowOutputs, type RowAsk } from './rows';
import type { RowScore } from './rowScore';
import type { DecoderShape } from './decoderShape';
import { cacheAfter, cacheBefore, emptyCache, type KeyValues } from './keyValues';

/** One run of the model. */
export interface Step {
  readonly tokens: TokenIds;
  /** Whose the tokens are, in order. Where the decoder does not pack, they continue the past's one path. */
  readonly stretches: readonly Stretch[];
  readonly past: KeyValues;
  readonly asks: readonly RowAsk[];
  /** Whether the cache of past and tokens is wanted: it is copied out of the runtime. */
  readonly keep: boolean;
}

export interface Ran {
  /** One for each ask. */
  readonly rows: readonly RowScore[];
  readonly keyValues?: KeyValues;
}

/** A causal decoder with a key/value cache, batch 1. */
export class Decoder {
  readonly #session: InferenceSession;
  readonly #shape: DecoderShape;
  /** The graph scores its rows itself. */
  readonly #gathers: boolean;
  /** One run may hold tokens of several branches. */
  readonly packs: boolean;
  /** The cache stays on the device, whose memory is freed by {@link discard} alone. */
  readonly resident: boolean;
  #ones = new BigInt64Array(0);

  constructor(session: InferenceSession, shape: DecoderShape, resident = false) {
    this.#session = session;
    this.#shape = shape;
    this.#gathers = shape.inputs.has(addedInput.rows);
    this.packs = shape.inputs.has(addedInput.bias);
    this.resident = resident;
  }

  /** The past of a sequence that has not begun. */
  start(): KeyValues {
    return emptyCache(this.#shape.layers);
  }

  /** The first `length` columns. On a device all of them: what stands too far is hidden by the mask. */
  prefix(keyValues: KeyValues, length: number): KeyValues {
    return this.resident || length === lengthOf(keyValues.columns) ? keyValues : cacheBefore(keyValues, length, this.#shape.layers);
  }

  /** Nothing is fetched that was not asked for: outputs are copied out of the runtime. Rejects with PolicyError `run-failed` or `out-of-memory`. */
  async run({ tokens, stretches, past, asks, keep }: Step): Promise<Ran> {
    const distribution = asks.some((ask) => ask.distribution);
    const fetches = keep ? this.#shape.layers.map(({ output }) => output) : [];
    if (asks.length > 0 && this.#gathers) fetches.push(...rowOutputs);
    if (asks.length > 0 && (!this.#gathers || distribution)) fetches.push(logits);
    // A run that nobody waits for still has to fetch something: the end of a target whose last tokens are not scored.
    if (fetches.length === 0) fetches.push(this.#gathers ? rowOutput.rank : logits);
    const feeds = this.#feeds(tokens, stretches, past, asks);
    // Where the cache stays on the device, ONNX Runtime wants the same outputs fetched in every run.
    const outputs = await (this.resident ? this.#session.run(feeds) : this.#session.run(feeds, fetches)).catch((error: unknown) => {
      throw runError(error);
    });
    const rows = asks.length === 0 ? [] : this.#gathers ? gatheredRows(outputs, asks) : logitRows(outputs, asks, tokens.length);
    if (!keep && !this.resident) return { rows };
    const keyValues = cacheAfter(past, stretches, outputs, this.#shape.layers);
    if (keep) return { rows, keyValues };
    this.discard(keyValues);
    return { rows };
  }

  /** Frees what a cache holds of the device: nobody may start from it any more. Elsewhere the garbage collector does it. */
  discard({ tensors }: KeyValues): void {
    for (const tensor of Object.values(tensors)) if (tensor.location === 'gpu-buffer') tensor.dispose();
  }

  async release(): Promise<void> {
    await this.#session.release();
  }

  #feeds(tokens: TokenIds, stretches: readonly Stretch[], past: KeyValues, asks: readonly RowAsk[]): Record<string, Tensor> {
    const count = tokens.length;
    const before = lengthOf(past.columns);
    const feeds: Record<string, Tensor> = { ...past.tensors, input_ids: int64(tokens, [1, count]) };
    const feed = (name: string, tensor: () => Tensor): void => {
      if (this.#shape.inputs.has(name)) feeds[name] = tensor();
    };
    feed('attention_mask', () => new Tensor('int64', this.#onesOf(before + count), [1, before + count]));
    feed('use_cache_branch', () => new Tensor('bool', [before > 0], [1]));
    // Rows are counted from the end there; one is the least that the graph gives.
    feed('num_logits_to_keep', () => int64([count - Math.min(count - 1, ...asks.map(({ at }) => at))], []));
    feed(addedInput.positions, () => int64(positionsOf(stretches), [1, count]));
    feed(addedInput.bias, () => new Tensor('float32', treeBias(past.columns, stretches), [1, 1, count, before + count]));
    // A row of none is refused by some operators.
    const rows = asks.length > 0 ? asks : [{ at: 0, token: 0 }];
    feed(addedInput.rows, () => int64(rows.map(({ at }) => at), [rows.length]));
    feed(addedInput.targets, () => int64(rows.map(({ token }) => token), [rows.length]));
    return feeds;
  }

  #onesOf(total: number): BigInt64Array {
    if (this.#ones.length < total) this.#ones = new BigInt64Array(Math.max(256, 2 * total)).fill(1n);
    return this.#ones.subarray(0, total);
  }
}

function int64(values: readonly number[], dims: readonly number[]): Tensor {
  const data = new BigInt64Array(values.length);
  for (const [i, value] of values.entries()) data[i] = BigInt(value);
  return new Tensor('int64', data, dims);
}

function runError(error: unknown): PolicyError {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return outOfMemory(line)
    ? new PolicyError('out-of-memory', 'The policy ran out of memory; close other programs or select a smaller policy, then score again.')
    : new PolicyError('run-failed', `The runtime refused to run the policy: ${line}`);
}
