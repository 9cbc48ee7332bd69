import type { OnnxModel } from './model';
import { cacheNames, own } from './names';
import type { NodeSpec } from './node';
import { elementType } from './proto';
import { NotRecognised } from './recognise';

/** Keys and values are [1, heads, positions, size] in every export that is run. */
const positionsAxis = 2;

/**
 * The cache goes in as two parts, what all branches share and what came after it, and out comes only what the run added. A graph gives the
 * whole cache otherwise, and the runtime copies every output: for a token of an answer that is a thousand columns for one.
 */
export function cacheColumns(model: OnnxModel): void {
  const layers = model.inputs.flatMap((input) => {
    const names = cacheNames(input.name);
    return names ? [{ input, ...names }] : [];
  });
  const captured = new Set(model.nodes.flatMap((node) => node.captured()));
  const outputs = new Set(model.outputs.map(({ name }) => name));
  for (const { input, present } of layers) {
    if (captured.has(input.name)) throw new NotRecognised('the cache is read inside a branch of the graph');
    if (!outputs.has(present)) throw new NotRecognised(`the graph has no output called ${present}`);
    if (input.shape.length !== 4) throw new NotRecognised('the cache has other dimensions than heads, positions and size');
  }
  const [first] = layers;
  if (!first) throw new NotRecognised('there is no key/value cache');

  const joined = new Map(layers.map(({ input }) => [input.name, own(input.name)]));
  model.nodes = model.nodes.map((node) => (node.inputs.some((name) => joined.has(name)) ? node.withInputs(node.inputs.map((name) => joined.get(name) ?? name)) : node));
  const axis = model.int64(own('cache_axis'), [positionsAxis]);
  const end = model.int64(own('cache_end'), [Number.MAX_SAFE_INTEGER]);
  const length = own('cache_length');
  const joins: NodeSpec[] = [];
  for (const { input, recent, present, added } of layers) {
    const [batch = 1, heads = '', , size = ''] = input.shape;
    const type = input.elementType ?? elementType.float32;
    model.addInput(recent, type, [batch, heads, 'recent', size]);
    joins.push({ op: 'Concat', inputs: [input.name, recent], outputs: [own(input.name)], attributes: { axis: positionsAxis } });
    model.append({ op: 'Slice', inputs: [present, length, end, axis], outputs: [added] });
    model.addOutput(added, type, [batch, heads, 'tokens', size]);
  }
  const given = new Set(layers.map(({ present }) => present));
  model.outputs = model.outputs.filter(({ name }) => !given.has(name));
  const shape = own('cache_shape');
  model.prepend(...joins, { op: 'Shape', inputs: [own(first.input.name)], outputs: [shape] }, { op: 'Gather', inputs: [shape, axis], outputs: [length] });
}
