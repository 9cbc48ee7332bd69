import { own } from './names';
import type { OnnxModel } from './model';
import { GraphNode } from './node';
import { GraphReader, NotRecognised } from './recognise';

/** Bytes that the weights may take in fp32: they are dequantised once, at load. */
const dequantisedAtMost = 2 * 2 ** 30;

/**
 * int8 exports (`quantize_dynamic`): DynamicQuantizeLinear → MatMulInteger → Cast → Mul(activation scale × weight scale). The weights are
 * dequantised instead and the activations stay as they are, for the reason given in blockwise.ts.
 *
 * @returns how many products were changed.
 */
export function fp32ForDynamic(model: OnnxModel): number {
  const reader = new GraphReader(model);
  const users = usersOf(model);
  const products = model.nodes.filter(({ op }) => op === 'MatMulInteger').map((node) => read(reader, users, node));
  const bytes = products.reduce((sum, { weight }) => sum + 4 * (model.initializers.get(weight)?.dims ?? []).reduce((a, b) => a * b, 1), 0);
  if (bytes > dequantisedAtMost) throw new NotRecognised(`its int8 weights would take ${(bytes / 2 ** 30).toFixed(1)} GiB in fp32`);
  const inFloats = products.map(({ scaled, activation, weight, scale, zeroPoint }, index): readonly [GraphNode, readonly GraphNode[]] => {
    const dequantised = own(`weight.${index}`);
    // One scale for each column, or one for all.
    const attributes = (model.initializers.get(scale)?.dims.length ?? 0) > 0 ? { axis: 1 } : {};
    const floats = GraphNode.of({ op: 'DequantizeLinear', inputs: [weight, scale, ...zeroPoint], outputs: [dequantised], attributes });
    return [scaled, [floats, GraphNode.of({ op: 'MatMul', inputs: [activation, dequantised], outputs: scaled.outputs })]];
  });
  model.replace(new Map(inFloats));
  return products.length;
}

/** Finds the first node of an operator that takes a value. */
type Users = (value: string | undefined, op: 'Cast' | 'Mul') => GraphNode | undefined;

function usersOf(model: OnnxModel): Users {
  const first = { Cast: new Map<string, GraphNode>(), Mul: new Map<string, GraphNode>() };
  for (const node of model.nodes) {
    if (node.op !== 'Cast' && node.op !== 'Mul') continue;
    for (const input of node.inputs) if (!first[node.op].has(input)) first[node.op].set(input, node);
  }
  return (value, op) => (value === undefined ? undefined : first[op].get(value));
}

interface DynamicProduct {
  /** The node that gives the product in float. */
  readonly scaled: GraphNode;
  readonly activation: string;
  readonly weight: string;
  readonly scale: string;
  readonly zeroPoint: readonly string[];
}

function read(reader: GraphReader, users: Users, product: GraphNode): DynamicProduct {
  const unknown = (): never => {
    throw new NotRecognised(`the int8 product ${product.name} is not scaled in a way that is known`);
  };
  const [quantised = '', weight = '', , zeroPoint = ''] = product.inputs;
  const quantise = reader.producer(quantised);
  const cast = users(product.outputs[0], 'Cast') ?? unknown();
  const scaled = users(cast.outputs[0], 'Mul') ?? unknown();
  const scales = reader.producer(scaled.inputs.find((input) => input !== cast.outputs[0]) ?? '');
  const scale = scales?.op === 'Mul' ? scales.inputs.find((input) => reader.isConstant(input)) : undefined;
  const activation = quantise?.op === 'DynamicQuantizeLinear' ? quantise.inputs[0] : undefined;
  if (activation === undefined || scale === undefined || !reader.isConstant(weight)) return unknown();
  return { scaled, activation, weight, scale, zeroPoint: zeroPoint === '' ? [] : [zeroPoint] };
}
