import { microsoft, type AttributeValue } from '../../../src/policy/graph/proto';
import type { GraphBuilder } from './builder';
import type { DecoderShape } from './decoder';

export interface AttentionStyle extends DecoderShape {
  readonly family: 'qwen2' | 'llama' | 'gemma';
  readonly positions: boolean;
  readonly packed: boolean;
  readonly window?: number;
}

type Project = (x: string, name: string, from: number, to: number) => string;
/** One layer's attention, from the normalised stream to what is added to it. */
type Attend = (layer: number, x: string, project: Project) => string;

const theta = 10_000;
const longest = 512;
const softCap = 20;

/** Matrix products, a softmax and a mask that every layer builds anew from the shared comparison, as Optimum's exports do. */
export function plainAttention(g: GraphBuilder, style: AttentionStyle): Attend {
  const { heads, kvHeads, headSize, hidden } = style;
  const a = (values: Record<string, AttributeValue>) => ({ attributes: values });
  const lengthOf = (value: string, axis: number): string => g.node('Gather', [g.node('Shape', [value]), g.ints(axis)]);
  const past = lengthOf('past_key_values.0.key', 2);
  const total = g.node('Add', [past, lengthOf('input_ids', 1)]);
  const [zero, one] = [g.ints(0), g.ints(1)];
  const counted = g.node('Range', [past, total, one]);
  const rows = g.node('Unsqueeze', [counted, g.ints([1])]);
  const columns = g.node('Unsqueeze', [g.node('Range', [zero, total, one]), g.ints([0])]);
  let allowed = g.node('LessOrEqual', [columns, rows]);
  if (style.window) allowed = g.node('And', [allowed, g.node('Greater', [columns, g.node('Sub', [rows, g.ints(style.window)])])]);
  const positions = style.positions ? 'position_ids' : g.node('Unsqueeze', [counted, g.ints([0])]);
  const frequencies = Array.from({ length: headSize / 2 }, (_, i) => theta ** ((-2 * i) / headSize));
  const place = g.node('Cast', [g.node('Unsqueeze', [positions, g.ints([2])])], a({ to: 1 }));
  const angle = g.node('Mul', [place, g.floats(frequencies, [1, 1, headSize / 2], 'float32')]);
  const twice = g.node('Concat', [angle, angle], a({ axis: -1 }));
  const table = (op: string): string => {
    const wide = g.node('Unsqueeze', [g.node(op, [twice]), g.ints([1])]);
    return g.float === 'float16' ? g.node('Cast', [wide], a({ to: 10 })) : wide;
  };
  const [cos, sin] = [table('Cos'), table('Sin')];
  const split = (x: string, count: number): string => g.node('Transpose', [g.node('Reshape', [x, g.ints([0, 0, count, headSize])])], a({ perm: [0, 2, 1, 3] }));
  const rotate = (x: string): string => {
    const cut = (from: number, to: number): string => g.node('Slice', [x, g.ints([from]), g.ints([to]), g.ints([3])]);
    const turned = g.node('Concat', [g.node('Neg', [cut(headSize / 2, headSize)]), cut(0, headSize / 2)], a({ axis: -1 }));
    return g.node('Add', [g.node('Mul', [x, cos]), g.node('Mul', [turned, sin])]);
  };
  const repeat = (x: string): string => {
    const wide = g.node('Concat', [g.ints([1, kvHeads, heads / kvHeads]), g.node('Unsqueeze', [total, g.ints([0])]), g.ints([headSize])], a({ axis: 0 }));
    return g.node('Reshape', [g.node('Expand', [g.node('Unsqueeze', [x, g.ints([2])]), wide]), g.ints([1, heads, -1, headSize])]);
  };
  return (layer, x, project) => {
    const cached = (part: string, value: string): string => g.node('Concat', [`past_key_values.${layer}.${part}`, value], { outputs: [`present.${layer}.${part}`], ...a({ axis: 2 }) });
    const query = rotate(split(project(x, 'q_proj', hidden, heads * headSize), heads));
    const key = cached('key', rotate(split(project(x, 'k_proj', hidden, kvHeads * headSize), kvHeads)));
    const value = cached('value', split(project(x, 'v_proj', hidden, kvHeads * headSize), kvHeads));
    const transposed = g.node('Transpose', [repeat(key)], a({ perm: [0, 1, 3, 2] }));
    let scores = g.node('Mul', [g.node('MatMul', [query, transposed]), g.floats(1 / Math.sqrt(headSize))]);
    if (style.family === 'gemma') scores = g.node('Mul', [g.node('Tanh', [g.node('Div', [scores, g.floats(softCap)])]), g.floats(softCap)]);
    const mask = g.node('Where', [allowed, g.floats(0), g.floats(g.float === 'float16' ? -65504 : -3.4028234663852886e38)]);
    const weights = g.node('Softmax', [g.node('Add', [scores, mask])], a({ axis: -1 }));
    const mixed = g.node('Transpose', [g.node('MatMul', [weights, repeat(value)])], a({ perm: [0, 2, 1, 3] }));
    return project(g.node('Reshape', [mixed, g.ints([0, 0, heads * headSize])]), 'o_proj', heads * headSize, hidden);
  };
}

/** com.microsoft.GroupQueryAttention with its rotary embedding inside, as onnxruntime-genai's model builder writes it. */
export function fusedAttention(g: GraphBuilder, style: AttentionStyle): Attend {
  const { heads, kvHeads, headSize, hidden } = style;
  const lengths = g.node('Sub', [g.node('ReduceSum', ['attention_mask', g.ints([1])], { attributes: { keepdims: 0 } }), g.ints([1])]);
  const lastKey = g.node('Cast', [lengths], { attributes: { to: 6 } });
  const total = g.node('Cast', [g.node('Gather', [g.node('Shape', ['attention_mask']), g.ints(1)])], { attributes: { to: 6 } });
  const angle = (i: number): number => Math.floor(i / (headSize / 2)) * theta ** ((-2 * (i % (headSize / 2))) / headSize);
  const table = (of: (x: number) => number): string => g.floats(Array.from({ length: (longest * headSize) / 2 }, (_, i) => of(angle(i))), [longest, headSize / 2]);
  const [cos, sin] = [table(Math.cos), table(Math.sin)];
  const attributes = {
    num_heads: heads,
    kv_num_heads: kvHeads,
    scale: { float: 1 / Math.sqrt(headSize) },
    do_rotary: 1,
    rotary_interleaved: 0,
    local_window_size: style.window ?? -1,
    ...(style.family === 'gemma' ? { softcap: { float: softCap } } : {}),
  };
  return (layer, x, project) => {
    const [q, k, v] = style.packed
      ? [project(x, 'qkv_proj', hidden, (heads + 2 * kvHeads) * headSize), '', '']
      : [project(x, 'q_proj', hidden, heads * headSize), project(x, 'k_proj', hidden, kvHeads * headSize), project(x, 'v_proj', hidden, kvHeads * headSize)];
    const past = [`past_key_values.${layer}.key`, `past_key_values.${layer}.value`];
    const outputs = [g.name('attention'), `present.${layer}.key`, `present.${layer}.value`];
    const mixed = g.node('GroupQueryAttention', [q ?? '', k ?? '', v ?? '', ...past, lastKey, total, cos, sin], { domain: microsoft, outputs, attributes });
    return project(mixed, 'o_proj', heads * headSize, hidden);
  };
}
