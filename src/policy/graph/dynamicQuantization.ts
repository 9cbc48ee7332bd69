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
  const products = model.nodes.filter(({ op }) => op === 'MatMulInteger').map((node) => read(reader, model, node));
  const bytes = products.reduce((sum, { weight }) => sum + 4 * (model.initializers.get(weight)?.dims ?? []).reduce((a, b) => a * b, 1), 0);
  if (bytes > dequantisedAtMost) throw new NotRecognised(`its int8 weights would take ${(bytes / 2 ** 30).toFixed(1)} GiB in fp32`);
  products.forEach(({ scaled, activation, weight, scale, zeroPoint }, index) => {
    const dequantised = own(`weight.${index}`);
    // One scale for each column, or one for all.
    const attributes = (model.initializers.get(scale)?.dims.length ?? 0) > 0 ? { axis: 1 } : {};
    model.replace(
      scaled,
      GraphNode.of({ op: 'DequantizeLinear', inputs: [weight, scale, ...zeroPoint], outputs: [dequantised], attributes }),
      GraphNode.of({ op: 'MatMul', inputs: [activation, dequantised], outputs: scaled.outputs }),
    );
  });
  return products.length;
}

interface DynamicProduct {
  /** The node that gives the product in float. */
  readonly scaled: GraphNode;
  readonly activation: string;
  readonly weight: string;
  readonly scale: string;
  readonly zeroPoint: readonly string[];
}

function read(reader: GraphReader, model: OnnxModel, product: GraphNode): DynamicProduct {
  const unknown = (): never => {
    throw new NotRecognised(`the int8 product ${product.name} is not scaled in a way that is known`);
  };
  const [quantised = '', weight = '', , zeroPoint = ''] = product.inputs;
  const quantise = reader.producer(quantised);
  const user = (value: string | undefined, op: string): GraphNode => model.nodes.find((node) => node.op === op && value !== undefined && node.inputs.includes(value)) ?? unknown();
  const cast = user(product.outputs[0], 'Cast');
  const scaled = user(cast.outputs[0], 'Mul');
  const scales = reader.producer(scaled.inputs.find((input) => input !== cast.outputs[0]) ?? '');
  const scale = scales?.op === 'Mul' ? scales.inputs.find((input) => reader.isConstant(input)) : undefined;
  const activation = quantise?.op === 'DynamicQuantizeLinear' ? quantise.inputs[0] : undefined;
  if (activation === undefined || scale === undefined || !reader.isConstant(weight)) return unknown();
  return { scaled, activation, weight, scale, zeroPoint: zeroPoint === '' ? [] : [zeroPoint] };
}
