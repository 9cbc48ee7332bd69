import { biasInput } from './attentionBias';
import { addedInput, own } from './names';
import type { OnnxModel } from './model';
import { GraphNode } from './node';
import { elementType, microsoft } from './proto';
import { NotRecognised } from './recognise';

/** Inputs of com.microsoft.GroupQueryAttention, by position. */
const slot = { query: 0, key: 1, value: 2, pastKey: 3, cosCache: 7, sinCache: 8, positions: 9, bias: 10 } as const;

/**
 * GroupQueryAttention counts positions from the number of keys, and masks by order alone. Its rotary embedding is moved out, with explicit
 * positions, and its attention_bias becomes an input. Packed query, key and value (what onnxruntime-genai writes) are split first.
 */
export function groupQueryAttention(model: OnnxModel): void {
  const layers = model.nodes.filter(({ op }) => op === 'GroupQueryAttention');
  const around = { model, producers: model.producers(), inputs: new Map(model.inputs.map((input) => [input.name, input])) };
  const rotated = layers.map((layer) => check(around, layer));
  const bias = biasInput(model);
  if (!model.input(addedInput.positions)) model.addInput(addedInput.positions, elementType.int64, [1, 'tokens']);
  model.replace(new Map(layers.map((layer, index) => [layer, rewritten(model, layer, index, bias, rotated[index])])));
}

/** What stands around the layers. */
interface Around {
  readonly model: OnnxModel;
  readonly producers: ReadonlyMap<string, GraphNode>;
  readonly inputs: ReadonlyMap<string, { readonly shape: readonly (number | string)[] }>;
}

/** Gives the sizes of a layer that rotates queries and keys itself. Throws NotRecognised. */
function check(around: Around, layer: GraphNode): Sizes | undefined {
  if ((layer.int('local_window_size') ?? -1) > 0) throw new NotRecognised('attention looks back over a sliding window');
  if ((layer.inputs[slot.bias] ?? '') !== '') throw new NotRecognised('attention has a bias of its own');
  if (layer.int('do_rotary')) return sizes(around, layer);
  if (!around.inputs.has(addedInput.positions)) throw new NotRecognised('positions are not an input and not counted by the attention');
  return undefined;
}

interface Sizes {
  readonly heads: number;
  readonly kvHeads: number;
  readonly head: number;
  /** Of the head's dimensions, how many are rotated. */
  readonly rotary: number;
}

function sizes(around: Around, layer: GraphNode): Sizes {
  const rotary = 2 * (around.model.initializers.get(layer.inputs[slot.cosCache] ?? '')?.dims[1] ?? 0);
  if (rotary === 0) throw new NotRecognised('the rotary table is not a constant of the graph');
  const heads = layer.int('num_heads') ?? 0;
  const kvHeads = layer.int('kv_num_heads') ?? heads;
  const stated = around.inputs.get(layer.inputs[slot.pastKey] ?? '')?.shape.at(-1);
  // Where the cache's last dimension is symbolic, as in onnxruntime-genai's exports, the whole head is rotated or the packed width tells.
  return { heads, kvHeads, head: typeof stated === 'number' ? stated : (packedWidth(around, layer, heads + 2 * kvHeads) ?? rotary), rotary };
}

/** The head's size by the width of the projection before it; that of a bias, as the weights' own layout is the product's affair. */
function packedWidth({ model, producers }: Around, layer: GraphNode, parts: number): number | undefined {
  if ((layer.inputs[slot.key] ?? '') !== '') return undefined;
  const projection = producers.get(layer.inputs[slot.query] ?? '');
  const width = projection?.int('N') ?? projection?.inputs.map((input) => model.initializers.get(input)?.dims.at(-1)).find((dim) => dim !== undefined);
  return width !== undefined && width % parts === 0 ? width / parts : undefined;
}

function rewritten(model: OnnxModel, layer: GraphNode, index: number, bias: string, size: Sizes | undefined): GraphNode[] {
  const inputs = Array.from({ length: Math.max(layer.inputs.length, slot.bias + 1) }, (_, i) => layer.inputs[i] ?? '');
  inputs[slot.bias] = bias;
  if (!size) return [layer.withInputs(inputs)];
  const value = (name: string): string => own(`layer.${index}/${name}`);
  const nodes: GraphNode[] = [];
  if (inputs[slot.key] === '') {
    const widths = [size.heads, size.kvHeads, size.kvHeads].map((count) => count * size.head);
    const outputs = [value('query'), value('key'), value('value')];
    nodes.push(GraphNode.of({ op: 'Split', inputs: [inputs[slot.query] ?? '', model.int64(value('widths'), widths)], outputs, attributes: { axis: -1 } }));
    outputs.forEach((output, part) => (inputs[part] = output));
  }
  const cache = [inputs[slot.cosCache] ?? '', inputs[slot.sinCache] ?? ''];
  for (const part of [slot.query, slot.key]) {
    const partial = size.rotary === size.head ? {} : { rotary_embedding_dim: size.rotary, num_heads: part === slot.query ? size.heads : size.kvHeads };
    const attributes = { interleaved: layer.int('rotary_interleaved') ?? 0, ...partial };
    const output = value(part === slot.query ? 'rotated_query' : 'rotated_key');
    nodes.push(GraphNode.of({ op: 'RotaryEmbedding', domain: microsoft, inputs: [inputs[part] ?? '', addedInput.positions, ...cache], outputs: [output], attributes }));
    inputs[part] = output;
  }
  inputs[slot.cosCache] = inputs[slot.sinCache] = inputs[slot.positions] = '';
  return [...nodes, layer.withInputs(inputs).withInt('do_rotary', 0)];
}
