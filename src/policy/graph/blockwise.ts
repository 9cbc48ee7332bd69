import { own } from './names';
import type { OnnxModel } from './model';
import { GraphNode } from './node';
import { microsoft } from './proto';

/** Of MatMulNBits. 0, or none stated, leaves activations as they are. */
const fp32Activations = 1;

export const roundsBlockwise = (node: GraphNode): boolean => node.op === 'MatMulNBits' && (node.int('accuracy_level') ?? 0) > fp32Activations;

/** Weights that are dequantised at load take at most so much memory, in bytes. */
const dequantisedAtMost = 2 ** 30;

/**
 * MatMulNBits at accuracy_level 2 to 4 rounds its activations (to int8 at 4, what exporters write): a rounding difference of 1e-7 flips
 * some and grows to a tenth of a nat. With fp32 activations the same weights give the same figures however the tokens are cut into runs.
 *
 * On the CPU only four-bit weights have a kernel for that. Others (an eight-bit head) would be dequantised anew in every run, which takes
 * longer than the rest of a decoding step: where `dequantise` is set they become a plain product that ONNX Runtime folds once, when the
 * session is loaded with `session.disable_quant_qdq`.
 *
 * @returns how many products were changed.
 */
export function fp32ForBlockwise(model: OnnxModel, dequantise = false): number {
  const rounded = model.nodes.filter(roundsBlockwise);
  const changed = new Map<GraphNode, readonly GraphNode[]>();
  let budget = dequantise ? dequantisedAtMost : 0;
  rounded.forEach((node, index) => {
    const bytes = 4 * (node.int('K') ?? 0) * (node.int('N') ?? 0);
    const plain = node.int('bits') === 8 && bytes <= budget ? dequantised(model, node, index) : undefined;
    if (plain) budget -= bytes;
    changed.set(node, plain ?? [node.withInt('accuracy_level', fp32Activations)]);
  });
  model.replace(changed);
  return rounded.length;
}

/** x (scale (w − zero))ᵀ with weights of one byte each [N, blocks, block size]. Undefined where the node is not of that plain form. */
function dequantised(model: OnnxModel, node: GraphNode, index: number): GraphNode[] | undefined {
  const [x = '', weight = '', scale = '', zeroPoint = '', ...others] = node.inputs;
  const [k = 0, n = 0, block = 0] = ['K', 'N', 'block_size'].map((name) => node.int(name));
  if (k % block !== 0 || zeroPoint === '' || others.some((name) => name !== '')) return undefined;
  const value = (name: string): string => own(`dequantised.${index}/${name}`);
  const reshape = (input: string, to: readonly number[], name: string): GraphNode =>
    GraphNode.of({ op: 'Reshape', inputs: [input, model.int64(value(`${name}_shape`), to)], outputs: [value(name)] });
  return [
    reshape(weight, [(n * k) / block, block], 'blocks'),
    reshape(scale, [-1], 'scales'),
    reshape(zeroPoint, [-1], 'zeros'),
    GraphNode.of({ op: 'DequantizeLinear', inputs: ['blocks', 'scales', 'zeros'].map(value), outputs: [value('floats')], attributes: { axis: 0 } }),
    reshape(value('floats'), [n, k], 'weight'),
    GraphNode.of({ op: 'FusedMatMul', domain: microsoft, inputs: [x, value('weight')], outputs: node.outputs, attributes: { transB: 1 } }),
  ];
}
