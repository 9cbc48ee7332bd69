import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decoder, type DecoderOptions, type DecoderShape } from './graphs/decoder';
import { policyFolder } from './policyFolder';

/** Of the demo policy's tokenizer. */
export const demoVocabulary = 2048;

export interface GeneratedPolicy {
  readonly folder: string;
  readonly shape: DecoderShape;
}

/** A policy's folder with a generated graph and the demo policy's tokenizer. `graph`: where the graph lies in it. */
export function generatedPolicy(options: DecoderOptions, graph = 'model.onnx'): GeneratedPolicy {
  const { bytes, shape } = decoder({ ...options, shape: { vocabulary: demoVocabulary, ...options.shape } });
  const config = { model_type: options.family, num_attention_heads: shape.heads, num_key_value_heads: shape.kvHeads, head_dim: shape.headSize, hidden_size: shape.hidden, vocab_size: shape.vocabulary, max_position_embeddings: 512, eos_token_id: 0 };
  const folder = policyFolder(['model.onnx'], { 'config.json': JSON.stringify(config) });
  mkdirSync(path.dirname(path.join(folder, graph)), { recursive: true });
  writeFileSync(path.join(folder, graph), bytes);
  return { folder, shape };
}
