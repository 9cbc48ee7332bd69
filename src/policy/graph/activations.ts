import { fp32ForBlockwise, roundsBlockwise } from './blockwise';
import { fp32ForDynamic } from './dynamicQuantization';
import type { OnnxModel } from './model';
import type { GraphNode } from './node';
import { GraphReader, NotRecognised } from './recognise';

/** Products in integers that no edit undoes: the optimised forms of `quantize_dynamic`, and those of a static quantisation. */
const fused: ReadonlySet<string> = new Set(['DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'QLinearMatMul']);

/** Activations that the export rounds to integers stay floats. Throws NotRecognised where some would be rounded all the same. */
export function fp32Activations(model: OnnxModel, dequantise: boolean): 'applied' | 'not-needed' {
  const reader = new GraphReader(model);
  const kept = model.nodes.find((node) => fused.has(node.op) || (node.op === 'QuantizeLinear' && !reader.isConstant(node.inputs[0] ?? '')));
  if (kept) throw new NotRecognised(`activations go through ${kept.op}`);
  const below = model.nodes.flatMap((node) => node.below()).find(rounds);
  if (below) throw new NotRecognised(`${below.op} stands in a branch of the graph`);
  return fp32ForBlockwise(model, dequantise) + fp32ForDynamic(model) > 0 ? 'applied' : 'not-needed';
}

const rounds = (node: GraphNode): boolean => fused.has(node.op) || node.op === 'MatMulInteger' || node.op === 'QuantizeLinear' || roundsBlockwise(node);
