/**
 * A decoder with KV cache, run as its folder has it: the graph through onnxruntime-node, all rows of the logits fetched. Nothing of the product.
 *
 * @typedef {{ length: number, tensors: Record<string, ort.Tensor> }} Past the KV of `length` tokens
 * @typedef {{ row: (i: number) => Float32Array, past: Past }} Run `row(i)`: the logits that follow the i-th of the tokens run
 * @typedef {{ empty: () => Past, run: (ids: number[], past: Past, keep: boolean) => Promise<Run>, columnBytes: number }} Decoder `keep`: whether the KV is wanted, else `past` is empty; `columnBytes`: of one token's KV
 * @typedef {{ kind: 'likelihood', context: number[], target: number[], scored: number[] }} Likelihood `scored`: indices into `target`
 * @typedef {{ kind: 'answer', context: number[], stop: number[], maxTokens: number }} Answer
 * @typedef {Likelihood | Answer} Request
 * @typedef {{ logprobs: number[] } | { ids: number[] }} Result
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import * as ort from 'onnxruntime-node';

/** @param {string} folder @param {string} name */
const readJson = (folder, name) => (existsSync(path.join(folder, name)) ? JSON.parse(readFileSync(path.join(folder, name), 'utf8')) : undefined);

/** The graph, its KV heads and their size, from either way of writing a policy's configuration. @param {string} folder */
function shapeOf(folder) {
  const genai = readJson(folder, 'genai_config.json')?.model.decoder;
  if (genai) return { file: genai.filename, kvHeads: genai.num_key_value_heads, headDim: genai.head_size };
  const config = readJson(folder, 'config.json');
  return {
    file: existsSync(path.join(folder, 'model.onnx')) ? 'model.onnx' : 'onnx/model.onnx',
    kvHeads: config.num_key_value_heads ?? config.num_attention_heads,
    headDim: config.head_dim ?? config.hidden_size / config.num_attention_heads,
  };
}

/** @param {number[]} values */
const int64 = (values) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);

/** @param {string} folder @param {string} [graph] another graph than the folder's, whose weights lie in the folder @returns {Promise<Decoder>} */
export async function loadDecoder(folder, graph) {
  const { file, kvHeads, headDim } = shapeOf(folder);
  // Spinning threads make runs slower on a busy machine, for every contestant alike.
  const weights = graph ? { model_external_initializers_file_folder_path: path.resolve(folder, path.dirname(file)), disable_quant_qdq: '1' } : {};
  /** @type {ort.InferenceSession.SessionOptions} */
  const options = { executionProviders: ['cpu'], extra: { session: { intra_op: { allow_spinning: '0' }, ...weights } } };
  const session = graph ? await ort.InferenceSession.create(readFileSync(graph), options) : await ort.InferenceSession.create(path.join(folder, file), options);
  const pastNames = session.inputNames.filter((name) => name.startsWith('past_key_values.'));
  /** @param {string} name */
  const presentOf = (name) => name.replace('past_key_values', 'present');
  /** @returns {Past} */
  const empty = () => ({
    length: 0,
    tensors: Object.fromEntries(pastNames.map((name) => [name, new ort.Tensor('float32', new Float32Array(0), [1, kvHeads, 0, headDim])])),
  });

  return {
    empty,
    columnBytes: pastNames.length * kvHeads * headDim * Float32Array.BYTES_PER_ELEMENT,
    async run(ids, past, keep) {
      const length = past.length + ids.length;
      const positions = ids.map((_, i) => past.length + i);
      /** @type {Record<string, ort.Tensor>} */
      const feeds = { ...past.tensors, input_ids: int64(ids), attention_mask: int64(Array(length).fill(1)) };
      if (session.inputNames.includes('position_ids')) feeds['position_ids'] = int64(positions);
      const outputs = await session.run(feeds, keep ? ['logits', ...pastNames.map(presentOf)] : ['logits']);
      /** @param {string} name */
      const output = (name) => outputs[name] ?? fail(`the graph gave no ${name}`);
      const { data, dims } = output('logits');
      if (!(data instanceof Float32Array)) return fail('the peers read logits in float32 alone');
      const vocabulary = dims[2] ?? fail('the logits have no vocabulary');
      return {
        row: (i) => data.subarray(i * vocabulary, (i + 1) * vocabulary),
        past: keep ? { length, tensors: Object.fromEntries(pastNames.map((name) => [name, output(presentOf(name))])) } : empty(),
      };
    },
  };
}

/** @param {string} why @returns {never} */
function fail(why) {
  throw new Error(why);
}

/** log softmax(logits)[id], in double precision. @param {Float32Array} logits @param {number | undefined} id */
export function logprob(logits, id) {
  const max = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  let sum = 0;
  for (const x of logits) sum += Math.exp(x - max);
  return (logits[id ?? -1] ?? Number.NaN) - max - Math.log(sum);
}

/** @param {Float32Array} logits */
function argmax(logits) {
  let best = 0;
  for (let i = 1; i < logits.length; i++) if (Number(logits[i]) > Number(logits[best])) best = i;
  return best;
}

/**
 * Greedy, from the KV of a context and the logits of its last token: the answer's ids, without the one that stopped it.
 * @param {Decoder} decoder @param {Past} past @param {Float32Array} logits @param {Answer} request
 */
export async function decode(decoder, past, logits, { stop, maxTokens }) {
  const ids = [];
  for (let next = argmax(logits); !stop.includes(next); next = argmax(logits)) {
    ids.push(next);
    if (ids.length === maxTokens) break;
    const step = await decoder.run([next], past, true);
    past = step.past;
    logits = step.row(0);
  }
  return ids;
}
