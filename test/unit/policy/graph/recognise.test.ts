import { describe, expect, it, test } from 'vitest';
import { editGraph } from '../../../../src/policy/graph/editGraph';
import { Initializer, OnnxModel } from '../../../../src/policy/graph/model';
import { GraphNode } from '../../../../src/policy/graph/node';
import { elementType, tensorField } from '../../../../src/policy/graph/proto';
import { GraphReader } from '../../../../src/policy/graph/recognise';
import { Message } from '../../../../src/policy/graph/wire';
import { decoder } from '../../../support/graphs/decoder';

const options = { activations: 'fp32', device: 'cpu' } as const;
const plain = (): OnnxModel => OnnxModel.read(decoder({ family: 'qwen2', attention: 'plain' }).bytes);
const identity = (input: string, output: string, op = 'Identity'): GraphNode => GraphNode.of({ op, inputs: [input], outputs: [output] });

function nodeOf(model: OnnxModel, wanted: (node: GraphNode) => boolean): GraphNode {
  const node = model.nodes.find(wanted);
  if (!node) throw new Error('the graph has no such node');
  return node;
}

it('knows a graph of any depth', () => {
  const model = plain();
  const head = nodeOf(model, ({ outputs }) => outputs.includes('logits'));
  const [hidden = ''] = head.inputs;
  const deep = Array.from({ length: 50_000 }, (_, i) => identity(i === 0 ? hidden : `deep${i - 1}`, `deep${i}`, 'Relu'));
  model.nodes.push(...deep);
  model.replace(new Map([[head, [head.withInput(hidden, 'deep49999')]]]));
  expect(editGraph(model.write(), options)).toMatchObject({ rows: { kind: 'applied' }, packing: { kind: 'applied' } });
});

describe('a graph that goes in a circle', () => {
  it.each<[string, (model: OnnxModel) => void]>([
    ['before a softmax', (model) => {
      const softmax = nodeOf(model, ({ op }) => op === 'Softmax');
      model.replace(new Map([[softmax, [softmax.withInputs(['a'])]]]));
      model.nodes.push(identity('b', 'a', 'Cast'), identity('a', 'b', 'Cast'));
    }],
    ['before the logits', (model) => {
      const head = nodeOf(model, ({ outputs }) => outputs.includes('logits'));
      model.replace(new Map([[head, [identity('a', 'logits'), identity('logits', 'a')]]]));
    }],
    ['in one node', (model) => {
      const head = nodeOf(model, ({ outputs }) => outputs.includes('logits'));
      model.replace(new Map([[head, [identity('logits', 'logits')]]]));
    }],
  ])('is not known: %s', (_where, bend) => {
    const model = plain();
    bend(model);
    const { rows, packing } = editGraph(model.write(), options);
    expect([rows.kind, packing.kind]).toContain('not-recognised');
  });
});

describe('an integer constant', () => {
  const tensor = (type: number, dims: readonly number[], fill: (message: Message) => Message): Uint8Array => {
    const message = new Message();
    for (const dim of dims) message.int(tensorField.dims, dim);
    return fill(message.int(tensorField.dataType, type).text(tensorField.name, 'c')).finish();
  };
  const read = (bytes: Uint8Array): number | undefined => {
    const model = plain();
    model.addInitializer(new Initializer(bytes));
    return new GraphReader(model).constantInt('c');
  };
  const { int64, int32 } = elementType;
  const ints = (field: number, ...values: number[]) => (message: Message): Message => values.reduce((all, value) => all.int(field, value), message);
  const raw = (data: ArrayBufferView) => (message: Message): Message => message.bytes(tensorField.rawData, new Uint8Array(data.buffer));

  test('of one element has a value, however it is written', () => {
    expect(read(tensor(int64, [], ints(tensorField.int64Data, 512)))).toBe(512);
    expect(read(tensor(int64, [1], ints(tensorField.int64Data, -4096)))).toBe(-4096);
    expect(read(tensor(int64, [1], raw(BigInt64Array.of(-7n))))).toBe(-7);
    expect(read(tensor(int32, [], ints(tensorField.int32Data, 3)))).toBe(3);
    expect(read(tensor(int32, [1], raw(Int32Array.of(9))))).toBe(9);
  });

  test('of several, or of none, has none', () => {
    expect(read(tensor(int64, [2], ints(tensorField.int64Data, 512, 1)))).toBeUndefined();
    expect(read(tensor(int64, [2], raw(BigInt64Array.of(512n, 1n))))).toBeUndefined();
    expect(read(tensor(int32, [3], ints(tensorField.int32Data, 512, 1, 2)))).toBeUndefined();
    expect(read(tensor(int64, [0], (message) => message))).toBeUndefined();
    expect(read(tensor(elementType.float32, [1], raw(Float32Array.of(512))))).toBeUndefined();
  });
});
