import type { GraphNode } from './node';
import { addedInput, own } from './names';
import type { OnnxModel } from './model';
import { elementType } from './proto';
import { GraphReader, NotRecognised } from './recognise';

/**
 * Plain exports: what is added to the scores before each layer's softmax becomes one input. Exporters share the mask between layers or
 * build it anew in each (Optimum does), so it is found per Softmax and never by its name.
 */
export function attentionBias(model: OnnxModel): void {
  const reader = new GraphReader(model);
  const masked = model.nodes.filter(({ op }) => op === 'Softmax').map((softmax) => maskOf(reader, softmax));
  const masks = masked.filter((found) => found !== 'no attention');
  if (masks.length === 0) throw new NotRecognised('there is no softmax over attention scores: attention is one operator that has no input for a mask');
  if (hasWindow(reader, masks.map(({ mask }) => mask))) throw new NotRecognised('attention looks back over a sliding window');
  const bias = biasInput(model);
  model.replace(new Map(masks.map(({ add, mask }) => [add, [add.withInput(mask, bias)]])));
}

/** Adds the input and gives the name of the value in the graph's own float type. */
export function biasInput(model: OnnxModel): string {
  model.addInput(addedInput.bias, elementType.float32, [1, 1, 'tokens', 'total']);
  const type = model.inputs.find(({ name }) => name.startsWith('past_key_values'))?.elementType;
  if (type === undefined || type === elementType.float32) return addedInput.bias;
  model.prepend({ op: 'Cast', inputs: [addedInput.bias], outputs: [own('bias')], attributes: { to: type } });
  return own('bias');
}

interface MaskedScores {
  readonly add: GraphNode;
  readonly mask: string;
}

function maskOf(reader: GraphReader, softmax: GraphNode): MaskedScores | 'no attention' {
  const scores = softmax.inputs[0] ?? '';
  const add = reader.back(scores, (node) => (node.op === 'Cast' || node.op === 'Identity' ? node.inputs[0] : undefined));
  const product = productBehind(reader, scores);
  // A router or a classifier: a softmax over a product with weights.
  if (product && product.inputs.some((input) => reader.isConstant(input))) return 'no attention';
  const [a, b] = add?.op === 'Add' ? add.inputs : [];
  if (!add || a === undefined || b === undefined) throw new NotRecognised(`no mask is added to the scores before ${softmax.name}`);
  const [left, right] = [productBehind(reader, a), productBehind(reader, b)];
  if ((left === undefined) === (right === undefined)) throw new NotRecognised(`which operand of ${add.name} is the mask cannot be told`);
  return { add, mask: left ? b : a };
}

/** The product of queries and keys that a value is scaled, capped or cast from. */
function productBehind(reader: GraphReader, value: string): GraphNode | undefined {
  const passing = new Set(['Cast', 'Div', 'Identity', 'Mul', 'Tanh', 'Where']);
  const end = reader.back(value, (node) => {
    if (!passing.has(node.op)) return undefined;
    const data = node.op === 'Where' ? node.inputs.slice(1).filter((input) => !reader.isConstant(input)) : reader.varying(node);
    return data.length === 1 ? data[0] : undefined;
  });
  return end && ['FusedMatMul', 'MatMul'].includes(end.op) ? end : undefined;
}

/** Masks one of which compares positions at a distance: an integer over 1 added to, or subtracted from, a position; or a band cut out by Trilu. */
function hasWindow(reader: GraphReader, masks: readonly string[]): boolean {
  const far = (value: string): boolean => Math.abs(reader.constantInt(value) ?? 0) > 1;
  return [...reader.ancestors(masks)].some((node) => ['Add', 'Sub', 'Trilu'].includes(node.op) && node.inputs.some(far));
}
