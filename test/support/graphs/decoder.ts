import type { AttributeValue } from '../../../src/policy/graph/proto';
import { fusedAttention, plainAttention, type AttentionStyle } from './attention';
import { GraphBuilder, type FloatType } from './builder';
import { linear, type Weights } from './linear';

export interface DecoderShape {
  readonly layers: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
  readonly hidden: number;
  readonly intermediate: number;
  readonly vocabulary: number;
}

export interface DecoderOptions {
  readonly shape?: Partial<DecoderShape>;
  /** qwen2: biases on q, k, v. llama: none. gemma: scaled embedding, 1 + w norms, GELU, soft caps, heads wider than the hidden size. */
  readonly family: 'qwen2' | 'llama' | 'gemma';
  /** plain: as Optimum writes it. gqa: GroupQueryAttention with q, k, v apart, or packed as onnxruntime-genai does. */
  readonly attention: 'plain' | 'gqa' | 'gqa-packed';
  readonly tied?: boolean;
  /** With a position_ids input. A plain graph without counts them from the past's length. */
  readonly positions?: boolean;
  readonly float?: FloatType;
  readonly weights?: Weights;
  /** Sliding window, in tokens. */
  readonly window?: number;
  /** Two branches behind `use_cache_branch`. */
  readonly merged?: boolean;
  readonly seed?: number;
}

const small: DecoderShape = { layers: 2, heads: 4, kvHeads: 2, headSize: 16, hidden: 64, intermediate: 96, vocabulary: 160 };
const attributes = (values: Record<string, AttributeValue>): { attributes: Record<string, AttributeValue> } => ({ attributes: values });

/** A decoder with random weights and a KV cache, in the form that exporters give it. */
export function decoder(options: DecoderOptions): { bytes: Uint8Array; shape: DecoderShape } {
  const shape = { ...small, ...(options.family === 'gemma' ? { headSize: 32 } : {}), ...options.shape };
  const inner = build(options, shape);
  return { bytes: options.merged ? merged(options, shape, inner) : inner.model(), shape };
}

function build(options: DecoderOptions, shape: DecoderShape): GraphBuilder {
  const { family, float = 'float32', weights = 'float', attention, positions = attention === 'plain', tied = false } = options;
  const { layers, kvHeads, headSize, hidden, intermediate, vocabulary } = shape;
  const g = new GraphBuilder(options.seed ?? 1, float);
  inputs(g, shape, positions);
  const embedding = g.weight('model.embed_tokens.weight', [vocabulary, hidden], family === 'gemma' ? 0.1 : 0.5);
  let stream = g.node('Gather', [embedding, 'input_ids']);
  if (family === 'gemma') stream = g.node('Mul', [stream, g.floats(Math.sqrt(hidden))]);
  const style: AttentionStyle = { ...shape, positions, family, packed: attention === 'gqa-packed', ...(options.window ? { window: options.window } : {}) };
  const attend = attention === 'plain' ? plainAttention(g, style) : fusedAttention(g, style);
  for (let layer = 0; layer < layers; layer++) {
    const at = `model.layers.${layer}`;
    const attended = attend(layer, norm(g, options, stream, `${at}.input_layernorm`, hidden), (x, name, from, to) =>
      linear(g, weights, x, `${at}.self_attn.${name}`, from, to, family === 'qwen2' && name !== 'o_proj'),
    );
    stream = g.node('Add', [stream, attended]);
    const x = norm(g, options, stream, `${at}.post_attention_layernorm`, hidden);
    const [gate, up] = ['gate_proj', 'up_proj'].map((name) => linear(g, weights, x, `${at}.mlp.${name}`, hidden, intermediate)) as [string, string];
    const inner = g.node('Mul', [activation(g, family, gate), up]);
    stream = g.node('Add', [stream, linear(g, weights, inner, `${at}.mlp.down_proj`, intermediate, hidden)]);
  }
  head(g, options, norm(g, options, stream, 'model.norm', hidden), embedding, tied, shape);
  g.output('logits', float, ['batch_size', 'sequence_length', vocabulary]);
  for (let layer = 0; layer < layers; layer++) {
    for (const part of ['key', 'value']) g.output(`present.${layer}.${part}`, float, ['batch_size', kvHeads, 'total_sequence_length', headSize]);
  }
  return g;
}

function inputs(g: GraphBuilder, { layers, kvHeads, headSize }: DecoderShape, positions: boolean): void {
  g.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  g.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  if (positions) g.input('position_ids', 'int64', ['batch_size', 'sequence_length']);
  for (let layer = 0; layer < layers; layer++) {
    for (const part of ['key', 'value']) g.input(`past_key_values.${layer}.${part}`, g.float, ['batch_size', kvHeads, 'past_sequence_length', headSize]);
  }
}

function norm(g: GraphBuilder, { family }: DecoderOptions, x: string, name: string, size: number): string {
  const raw = g.weight(`${name}.weight`, [size], 0.1, family === 'gemma' ? 0 : 1);
  const weight = family === 'gemma' ? g.node('Add', [raw, g.floats(1)]) : raw;
  const wide = g.node('Cast', [x], attributes({ to: 1 }));
  const squares = g.node('ReduceMean', [g.node('Pow', [wide, g.floats(2, [], 'float32')])], attributes({ axes: [-1], keepdims: 1 }));
  const root = g.node('Sqrt', [g.node('Add', [squares, g.floats(1e-6, [], 'float32')])]);
  const scaled = g.node('Div', [wide, root]);
  return g.node('Mul', [weight, g.float === 'float16' ? g.node('Cast', [scaled], attributes({ to: 10 })) : scaled]);
}

function activation(g: GraphBuilder, family: DecoderOptions['family'], x: string): string {
  if (family !== 'gemma') return g.node('Mul', [x, g.node('Sigmoid', [x])]);
  const cubed = g.node('Mul', [g.node('Mul', [x, g.node('Mul', [x, x])]), g.floats(0.044715)]);
  const tanh = g.node('Tanh', [g.node('Mul', [g.node('Add', [x, cubed]), g.floats(Math.sqrt(2 / Math.PI))])]);
  return g.node('Mul', [g.node('Mul', [x, g.floats(0.5)]), g.node('Add', [tanh, g.floats(1)])]);
}

function head(g: GraphBuilder, options: DecoderOptions, x: string, embedding: string, tied: boolean, { hidden, vocabulary }: DecoderShape): void {
  const capped = options.family === 'gemma';
  const raw = capped ? g.name('raw_logits') : 'logits';
  if (tied) g.node('MatMul', [x, g.node('Transpose', [embedding], attributes({ perm: [1, 0] }))], { outputs: [raw] });
  else linear(g, options.weights ?? 'float', x, 'lm_head', hidden, vocabulary, false, raw);
  if (!capped) return;
  const cap = g.floats(30);
  g.node('Mul', [g.node('Tanh', [g.node('Div', [raw, cap])]), cap], { outputs: ['logits'] });
}

/** Both branches are the decoder with a past: what matters is that they stand behind an If. */
function merged(options: DecoderOptions, shape: DecoderShape, inner: GraphBuilder): Uint8Array {
  const outer = new GraphBuilder(0, options.float);
  inputs(outer, shape, options.positions ?? options.attention === 'plain');
  outer.input('use_cache_branch', 'bool', [1]);
  const outputs = ['logits', ...Array.from({ length: shape.layers }, (_, layer) => [`present.${layer}.key`, `present.${layer}.value`]).flat()];
  const branch = inner.graph(false);
  outer.node('If', ['use_cache_branch'], { outputs: outputs.map((name) => `${name}`), attributes: { then_branch: { graph: branch }, else_branch: { graph: branch } } });
  for (const output of outputs) outer.output(output, options.float ?? 'float32', []);
  return outer.model();
}
