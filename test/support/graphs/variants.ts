import { fp32ForBlockwise } from '../../../src/policy/graph/blockwise';
import { fp32ForDynamic } from '../../../src/policy/graph/dynamicQuantization';
import { OnnxModel } from '../../../src/policy/graph/model';
import type { DecoderOptions } from './decoder';

/** The exports that people have: every family, both kinds of attention, and what exporters do to weights, heads, positions and types. */
export const variants: Record<string, DecoderOptions> = {
  'qwen2, plain': { family: 'qwen2', attention: 'plain' },
  'qwen2, plain, tied head': { family: 'qwen2', attention: 'plain', tied: true },
  'llama, plain, without position_ids': { family: 'llama', attention: 'plain', positions: false },
  'llama, plain, merged': { family: 'llama', attention: 'plain', merged: true },
  'llama, plain, num_logits_to_keep': { family: 'llama', attention: 'plain', keepsRows: true },
  'gemma, plain, tied head': { family: 'gemma', attention: 'plain', tied: true },
  'qwen2, gqa': { family: 'qwen2', attention: 'gqa' },
  'llama, gqa, packed, tied head': { family: 'llama', attention: 'gqa-packed', tied: true },
  'gemma, gqa, packed': { family: 'gemma', attention: 'gqa-packed' },
  'llama, gqa, with position_ids': { family: 'llama', attention: 'gqa', positions: true },
  'llama, gqa, merged': { family: 'llama', attention: 'gqa', merged: true },
  'llama, gqa, packed, int4': { family: 'llama', attention: 'gqa-packed', weights: 'int4' },
  'qwen2, plain, float16': { family: 'qwen2', attention: 'plain', float: 'float16' },
  'llama, gqa, packed, float16': { family: 'llama', attention: 'gqa-packed', float: 'float16' },
  'qwen2, plain, int4': { family: 'qwen2', attention: 'plain', weights: 'int4' },
  'qwen2, plain, int8': { family: 'qwen2', attention: 'plain', weights: 'int8' },
};

/** Half floats have eleven bits. */
export const tolerance = ({ float }: DecoderOptions): number => (float === 'float16' ? 2e-2 : 1e-4);

/** The export with its activations in fp32 and nothing else changed. */
export function reference(bytes: Uint8Array): Uint8Array {
  const model = OnnxModel.read(bytes);
  fp32ForBlockwise(model);
  fp32ForDynamic(model);
  return model.write();
}
