import { microsoft } from '../../../src/policy/graph/proto';
import type { GraphBuilder } from './builder';

/** int4: MatMulNBits in blocks of 32 with int8 activations. int8: as `quantize_dynamic` writes it. */
export type Weights = 'float' | 'int4' | 'int8';

/** x W (+ b), with weights [from, to]. */
export function linear(g: GraphBuilder, weights: Weights, x: string, name: string, from: number, to: number, bias = false, output = g.name(name)): string {
  const product = bias ? g.name(name) : output;
  const deviation = 1 / Math.sqrt(from);
  if (weights === 'float') g.node('MatMul', [x, g.weight(`${name}.weight`, [from, to], deviation)], { outputs: [product] });
  else if (weights === 'int4') blockwise(g, x, name, from, to, product);
  else dynamic(g, x, name, from, to, product);
  return bias ? g.node('Add', [g.weight(`${name}.bias`, [to], 0.1), product], { outputs: [output] }) : product;
}

function blockwise(g: GraphBuilder, x: string, name: string, from: number, to: number, output: string): void {
  const blocks = from / 32;
  const packed = g.bytes(`${name}.weight_Q4`, 'uint8', [to, blocks, 16]);
  const scales = g.weight(`${name}.weight_scales`, [to, blocks], 0.002, 0.2 / Math.sqrt(from));
  g.node('MatMulNBits', [x, packed, scales], { domain: microsoft, outputs: [output], attributes: { K: from, N: to, bits: 4, block_size: 32, accuracy_level: 4 } });
}

function dynamic(g: GraphBuilder, x: string, name: string, from: number, to: number, output: string): void {
  const [quantised, scale, zeroPoint] = ['quantised', 'scale', 'zero_point'].map((part) => g.name(part)) as [string, string, string];
  g.node('DynamicQuantizeLinear', [x], { outputs: [quantised, scale, zeroPoint] });
  const weight = g.bytes(`${name}.weight_quantized`, 'int8', [from, to]);
  const zero = g.bytes(`${name}.weight_zero_point`, 'int8', [], () => 0);
  const product = g.node('MatMulInteger', [quantised, weight, zeroPoint, zero]);
  const scales = g.node('Mul', [scale, g.floats(1 / (73 * Math.sqrt(from)))]);
  g.node('Mul', [g.node('Cast', [product], { attributes: { to: 1 } }), scales], { outputs: [output] });
}
