import { InferenceSession, Tensor } from 'onnxruntime-node';
import { addedInput, rowOutput } from '../../../src/policy/graph/names';
import { fromHalf } from './random';
import type { DecoderShape } from './decoder';

export type Cache = Readonly<Record<string, Tensor>>;
type Feeds = Record<string, Tensor>;

export const int64 = (values: readonly number[], dims: readonly number[] = [1, values.length]): Tensor => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);

export async function load(graph: Uint8Array, folder?: string): Promise<InferenceSession> {
  const external = folder === undefined ? {} : { extra: { session: { model_external_initializers_file_folder_path: folder } } };
  return InferenceSession.create(graph, { executionProviders: ['cpu'], logSeverityLevel: 3, intraOpNumThreads: 1, ...external });
}

export function emptyCache(session: InferenceSession, shape: Pick<DecoderShape, 'kvHeads' | 'headSize'>): Cache {
  const past = session.inputMetadata.filter(({ name }) => name.startsWith('past_key_values'));
  return Object.fromEntries(
    past.map((input) => {
      const dims = [1, shape.kvHeads, 0, shape.headSize];
      const half = input.isTensor && input.type === 'float16';
      return [input.name, half ? new Tensor('float16', new Uint16Array(0), dims) : new Tensor('float32', new Float32Array(0), dims)];
    }),
  );
}

export const nextCache = (outputs: Readonly<Record<string, Tensor>>): Cache =>
  Object.fromEntries(
    Object.entries(outputs)
      .filter(([name]) => name.startsWith('present'))
      .map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor]),
  );

/** What a graph takes of these, and nothing else. */
export function feeds(session: InferenceSession, all: Feeds): Feeds {
  return Object.fromEntries(session.inputNames.map((name) => [name, all[name]]).filter((entry): entry is [string, Tensor] => entry[1] !== undefined));
}

export interface Row {
  readonly logprob: number;
  readonly entropy: number;
  readonly rank: number;
  readonly best: number;
  readonly margin: number;
}

/** Of every token but the first: one forward of the graph as exported, everything from its logits, in double precision. */
export async function forward(session: InferenceSession, shape: Pick<DecoderShape, 'kvHeads' | 'headSize'>, ids: readonly number[]): Promise<Row[]> {
  const n = ids.length;
  const positions = int64([...ids.keys()]);
  const feed = feeds(session, {
    input_ids: int64(ids),
    attention_mask: int64(ids.map(() => 1)),
    position_ids: positions,
    num_logits_to_keep: int64([n], []),
    use_cache_branch: new Tensor('bool', [true], [1]),
    ...emptyCache(session, shape),
  });
  const { logits } = await session.run(feed, ['logits']);
  if (!logits) throw new Error('no logits');
  const data = logits.data instanceof Uint16Array ? Float64Array.from(logits.data, fromHalf) : Float64Array.from(logits.data as Float32Array);
  const v = data.length / n;
  return ids.slice(1).map((target, i) => row(data.subarray(i * v, (i + 1) * v), target));
}

export function row(logits: Float64Array, target: number): Row {
  const max = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((total, x) => total + Math.exp(x - max), 0);
  const best = logits.indexOf(max);
  const chosen = logits[target] ?? NaN;
  const second = logits.reduce((a, x, i) => (i === best ? a : Math.max(a, x)), -Infinity);
  const mean = logits.reduce((total, x) => total + ((x - max) * Math.exp(x - max)) / sum, 0);
  return { logprob: chosen - max - Math.log(sum), entropy: Math.log(sum) - mean, rank: logits.filter((x) => x > chosen).length, best, margin: max - second };
}

/** Branches that leave one trunk, as one run would hold them. */
export interface Packed {
  readonly ids: number[];
  readonly positions: number[];
  /** Which of the run's tokens token `i` may look at. */
  readonly sees: (query: number, key: number) => boolean;
  readonly rows: number[];
  readonly targets: number[];
}

/** Rows predict every token of every branch; each branch begins after `from` trunk tokens. */
export function pack(trunk: readonly number[], branches: readonly { readonly from: number; readonly ids: readonly number[] }[]): Packed {
  const packed = { ids: [...trunk], positions: [...trunk.keys()], rows: [] as number[], targets: [] as number[] };
  const owner = trunk.map(() => -1);
  branches.forEach(({ from, ids }, branch) => {
    ids.forEach((target, i) => {
      packed.rows.push(i === 0 ? from - 1 : packed.ids.length - 1);
      packed.targets.push(target);
      if (i === ids.length - 1) return;
      packed.ids.push(target);
      packed.positions.push(from + i);
      owner.push(branch);
    });
  });
  const start = (branch: number): number => branches[branch]?.from ?? 0;
  const sees = (query: number, key: number): boolean => {
    const [q = -1, k = -1] = [owner[query], owner[key]];
    return key <= query && (k === q || (k === -1 && key < start(q)));
  };
  return { ...packed, sees };
}

/** Runs the packed tokens that follow the cache's `past`; gives the rows among them. */
export async function runPacked(session: InferenceSession, packed: Packed, cache: Cache, past: number, end = packed.ids.length): Promise<{ rows: Map<number, Row>; cache: Cache }> {
  const tokens = end - past;
  const bias = Float32Array.from({ length: tokens * end }, (_, i) => (packed.sees(past + Math.floor(i / end), i % end) ? 0 : -1e9));
  const wanted = packed.rows.flatMap((at, i) => (at >= past && at < end ? [i] : []));
  const asked = wanted.length > 0 ? wanted.map((i) => (packed.rows[i] ?? 0) - past) : [0];
  const outputs = await session.run(
    feeds(session, {
      input_ids: int64(packed.ids.slice(past, end)),
      attention_mask: int64(packed.ids.slice(0, end).map(() => 1)),
      [addedInput.positions]: int64(packed.positions.slice(past, end)),
      [addedInput.bias]: new Tensor('float32', bias, [1, 1, tokens, end]),
      [addedInput.rows]: int64(asked, [asked.length]),
      [addedInput.targets]: int64(wanted.length > 0 ? wanted.map((i) => packed.targets[i] ?? 0) : [0], [asked.length]),
      ...cache,
    }),
  );
  const at = (name: string, i: number): number => Number(outputs[name]?.data[i]);
  const rows = wanted.map((row, i): [number, Row] => [
    row,
    { logprob: at(rowOutput.logprob, i), entropy: at(rowOutput.entropy, i), rank: at(rowOutput.rank, i), best: at(rowOutput.best, i), margin: at(rowOutput.margin, i) },
  ]);
  return { rows: new Map(rows), cache: nextCache(outputs) };
}
