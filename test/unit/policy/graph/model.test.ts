import { describe, expect, test } from 'vitest';
import { editGraph } from '../../../../src/policy/graph/editGraph';
import { OnnxModel } from '../../../../src/policy/graph/model';
import { GraphNode } from '../../../../src/policy/graph/node';
import { fields, Message } from '../../../../src/policy/graph/wire';
import { decoder } from '../../../support/graphs/decoder';

const sorted = (bytes: Uint8Array): string[] => [...fields(bytes)].map(({ raw }) => Buffer.from(raw).toString('base64')).sort();
const graphOf = (model: Uint8Array): Uint8Array => [...fields(model)].find(({ number }) => number === 7)?.bytes() ?? new Uint8Array();

describe('an ONNX model', () => {
  const { bytes } = decoder({ family: 'qwen2', attention: 'gqa-packed', weights: 'int4' });
  /** With fields that we do not know, in the model and in its graph, and one with two bytes of tag. */
  const withUnknown = new Message()
    .raw(bytes)
    .text(33, 'of the future')
    .message(7, new Message().text(99, 'of the graph'))
    .finish();

  test('is written with every field as it was read', () => {
    const written = OnnxModel.read(bytes).write();
    expect(sorted(graphOf(written))).toEqual(sorted(graphOf(bytes)));
    expect(sorted(written).length).toBe(sorted(bytes).length);
  });

  test('keeps fields that are not known', () => {
    const written = OnnxModel.read(withUnknown).write();
    expect([...fields(written)].find(({ number }) => number === 33)?.text()).toBe('of the future');
    expect([...fields(graphOf(written))].find(({ number }) => number === 99)?.text()).toBe('of the graph');
  });

  test('has the same weights after the edits, byte for byte', () => {
    const before = OnnxModel.read(bytes).initializers;
    const after = OnnxModel.read(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).bytes).initializers;
    for (const [name, { bytes: weight }] of before) expect(Buffer.compare(weight, after.get(name)?.bytes ?? new Uint8Array())).toBe(0);
  });

  test('may have constants of any number of dimensions', () => {
    // Packed varints of one byte each.
    const dims = Uint8Array.from({ length: 300_000 }, () => 1);
    const tensor = new Message().text(8, 'positions').bytes(1, dims).finish();
    const withConstant = new Message().raw(bytes).message(7, new Message().bytes(5, tensor)).finish();
    const edit = editGraph(withConstant, { activations: 'fp32', device: 'cpu' });
    expect(edit.rows.kind).toBe(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).rows.kind);
    expect(OnnxModel.read(edit.bytes).initializers.get('positions')?.dims).toHaveLength(300_000);
  });

  test('that is cut off, or is none, is refused', () => {
    expect(() => OnnxModel.read(bytes.subarray(0, bytes.length - 5))).toThrow();
    expect(() => OnnxModel.read(new TextEncoder().encode('version https://git-lfs.github.com/spec/v1'))).toThrow();
    expect(() => OnnxModel.read(new Uint8Array())).toThrow('the file holds no graph');
  });
});

test('a changed node keeps its other fields', () => {
  const node = GraphNode.of({ op: 'MatMulNBits', inputs: ['x', 'w'], outputs: ['y'], attributes: { accuracy_level: 4, bits: 4, scale: { float: 0.5 } }, domain: 'com.microsoft' });
  const changed = node.withInt('accuracy_level', 1).withInput('x', 'z');
  expect([changed.int('accuracy_level'), changed.int('bits'), changed.inputs, changed.outputs, changed.domain]).toEqual([1, 4, ['z', 'w'], ['y'], 'com.microsoft']);
  expect(node.int('accuracy_level')).toBe(4);
  expect(node.withInt('axis', -1).int('axis')).toBe(-1);
});
