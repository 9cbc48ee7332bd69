import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { OnnxModel } from '../../../src/policy/graph/model';
import { fp32Activations } from '../../../src/policy/graph/activations';
import { readIdentity } from '../../../src/policy/identity';
import { loadPolicy } from '../../../src/policy/load';
import { prepare } from '../../../src/policy/prepare';
import type { LikelihoodRequest, ReplayRequest } from '../../../src/replay/requests';
import { demoVocabulary, generatedPolicy } from '../../support/generatedPolicy';
import type { DecoderOptions } from '../../support/graphs/decoder';
import { forward, load } from '../../support/graphs/forward';
import { loadHere, logprobsOf, replayHere } from '../../support/replayHere';

const target = (context: string, text: string): LikelihoodRequest => ({ kind: 'likelihood', context: [{ text: context }], target: text, scored: [{ start: 0, end: text.length }], want: ['logprob'] });
const requests: readonly ReplayRequest[] = [
  target('Who wrote the first of them? The document says', ' it was the second'),
  target('Who wrote the first of them? Nobody knows', ' it was the second'),
  { kind: 'answer', context: [{ text: 'Who wrote the first of them?' }], stop: [], maxTokens: 4 },
];

/** Largest |Δ log-prob| between replay of the folder and one forward of its graph, activations in fp32, as it was exported. */
async function furthest(folder: string, graph: string, shape: Parameters<typeof forward>[1]): Promise<number> {
  const policy = await loadHere(folder);
  const { results } = await replayHere(policy, requests);
  expect(results[2]?.kind).toBe('answer');
  const model = OnnxModel.read(readFileSync(path.join(folder, graph)));
  fp32Activations(model, false);
  const exported = await load(model.write(), path.dirname(path.join(folder, graph)));
  const differences: number[] = [];
  for (const [index, request] of requests.slice(0, 2).entries()) {
    const prepared = prepare(request, policy.encoder, policy.contextLength);
    if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
    const rows = await forward(exported, shape, [...prepared.sequence.tokens, prepared.scored.at(-1)?.id ?? 0]);
    const logprobs = logprobsOf(results[index]);
    expect(logprobs.length).toBe(prepared.scored.length);
    logprobs.forEach((logprob, i) => differences.push(Math.abs(logprob - (rows[prepared.scored[i]?.row ?? -1]?.logprob ?? NaN))));
  }
  await policy.decoder.release();
  return Math.max(...differences);
}

const layouts: readonly (readonly [string, DecoderOptions, string, number])[] = [
  ["Optimum's, merged", { family: 'llama', attention: 'plain', merged: true }, 'decoder_model_merged.onnx', 1e-4],
  ["Transformers.js's, four bits", { family: 'qwen2', attention: 'gqa', weights: 'int4' }, 'onnx/model_q4.onnx', 1e-4],
  ["Transformers.js's, half floats", { family: 'qwen2', attention: 'plain', float: 'float16' }, 'onnx/model_fp16.onnx', 2e-2],
  ["Transformers.js's, eight bits", { family: 'gemma', attention: 'plain', weights: 'int8' }, 'onnx/model_quantized.onnx', 1e-4],
  ['a graph that keeps the last rows', { family: 'llama', attention: 'gqa-packed', keepsRows: true }, 'model.onnx', 1e-4],
  ['half floats, GroupQueryAttention', { family: 'llama', attention: 'gqa-packed', float: 'float16' }, 'model.onnx', 2e-2],
];

describe('a folder of', () => {
  test.each(layouts)('%s', async (_name, options, graph, tolerance) => {
    const { folder, shape } = generatedPolicy(options, graph);
    expect(await furthest(folder, graph, shape)).toBeLessThan(tolerance);
  });

  test("onnxruntime-genai's, with no config.json and a graph that only genai_config.json names", async () => {
    const { folder, shape } = generatedPolicy({ family: 'llama', attention: 'gqa-packed' }, 'decoder/text.onnx');
    const decoder = { filename: 'decoder/text.onnx', num_attention_heads: shape.heads, num_key_value_heads: shape.kvHeads, head_size: shape.headSize, hidden_size: shape.hidden };
    writeFileSync(path.join(folder, 'genai_config.json'), JSON.stringify({ model: { type: 'llama', context_length: 512, vocab_size: demoVocabulary, eos_token_id: 0, decoder } }));
    expect(await furthest(folder, 'decoder/text.onnx', shape)).toBeLessThan(1e-4);
  });

  test('several roundings: the least rounded is taken', async () => {
    const { folder } = generatedPolicy({ family: 'qwen2', attention: 'plain' }, 'onnx/model_q4.onnx');
    const { folder: half } = generatedPolicy({ family: 'qwen2', attention: 'plain', float: 'float16' }, 'onnx/model_fp16.onnx');
    mkdirSync(path.join(folder, 'onnx'), { recursive: true });
    copyFileSync(path.join(half, 'onnx/model_fp16.onnx'), path.join(folder, 'onnx/model_fp16.onnx'));
    const policy = await loadHere(folder);
    expect(policy.info.dtype).toBe('float16');
    await policy.decoder.release();
  });
});

describe('activations as exported', () => {
  const options: DecoderOptions = { family: 'llama', attention: 'gqa-packed', weights: 'int4' };

  test('give what the export itself gives, say so, and are never served as fp32', async () => {
    const { folder, shape } = generatedPolicy(options);
    const choices = { activations: 'exported' } as const;
    const policy = await loadPolicy({ folder, ...choices }, { state: () => undefined, alive: () => undefined });
    const identity = await readIdentity(folder, undefined, choices);
    expect([policy.info.activations, identity.activations]).toEqual(['exported', 'exported']);
    const { results } = await replayHere(policy, requests);
    const exported = await load(readFileSync(path.join(folder, 'model.onnx')));
    for (const [index, request] of requests.slice(0, 2).entries()) {
      const prepared = prepare(request, policy.encoder, policy.contextLength);
      if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
      const rows = await forward(exported, shape, [...prepared.sequence.tokens, prepared.scored.at(-1)?.id ?? 0]);
      // Rounding to eight bits moves with the cut into runs: as close as that allows, and no closer.
      logprobsOf(results[index]).forEach((logprob, i) => { expect(Math.abs(logprob - (rows[prepared.scored[i]?.row ?? -1]?.logprob ?? NaN))).toBeLessThan(0.2); });
    }
    await policy.decoder.release();
    const smooth = await readIdentity(folder);
    expect(smooth.activations).toBe('fp32');
    expect([identity.hash, identity.device]).toEqual([smooth.hash, smooth.device]);
    expect({ ...identity, activations: smooth.activations }).toEqual(smooth);
  });

  test('are not there to be chosen where nothing is rounded', async () => {
    const { folder } = generatedPolicy({ family: 'llama', attention: 'gqa-packed' });
    expect((await readIdentity(folder, undefined, { activations: 'exported' })).activations).toBe('fp32');
  });
});
