import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { editGraph } from '../../../../src/policy/graph/editGraph';
import { activationsOf, readGraphFacts, type GraphFacts } from '../../../../src/policy/graph/facts';
import { OnnxModel } from '../../../../src/policy/graph/model';
import { GraphNode } from '../../../../src/policy/graph/node';
import { elementType, graphField, modelField, tensorField } from '../../../../src/policy/graph/proto';
import { Message } from '../../../../src/policy/graph/wire';
import { decoder, type DecoderOptions } from '../../../support/graphs/decoder';

const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-facts-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

let files = 0;
async function factsIn(bytes: Uint8Array): Promise<GraphFacts> {
  const file = path.join(folder, `${String(files++)}.onnx`);
  writeFileSync(file, bytes);
  return readGraphFacts(file);
}

const chosen = (facts: GraphFacts): string[] => [activationsOf(facts, 'fp32'), activationsOf(facts, 'exported')];

/** The int8 decoder whose activation scales go through a node that no edit knows. */
function scaledOtherwise(): Uint8Array {
  const model = OnnxModel.read(decoder({ family: 'qwen2', attention: 'plain', weights: 'int8' }).bytes);
  const producers = model.producers();
  const cast = model.nodes.find(({ op, inputs }) => op === 'Cast' && producers.get(inputs[0] ?? '')?.op === 'MatMulInteger');
  if (!cast) throw new Error('no product is cast');
  model.replace(new Map([[cast, [GraphNode.of({ op: 'Identity', inputs: cast.inputs, outputs: ['x'] }), cast.withInputs(['x'])]]]));
  return model.write();
}

describe('what a graph file says of itself', () => {
  it.each<[string, DecoderOptions, Partial<GraphFacts>, string[]]>([
    ['float32', { family: 'llama', attention: 'plain' }, { dtype: 'float32', rounding: 'not-needed' }, ['fp32', 'fp32']],
    ['float16', { family: 'qwen2', attention: 'plain', float: 'float16' }, { dtype: 'float16', rounding: 'not-needed' }, ['fp16', 'fp16']],
    ['int4', { family: 'llama', attention: 'gqa-packed', weights: 'int4' }, { dtype: 'int4', rounding: 'applied' }, ['fp32', 'exported']],
    ['int8', { family: 'qwen2', attention: 'plain', weights: 'int8' }, { dtype: 'int8', rounding: 'applied' }, ['fp32', 'exported']],
    ['int8, merged', { family: 'llama', attention: 'plain', weights: 'int8', merged: true }, { dtype: 'int8', rounding: 'applied' }, ['fp32', 'exported']],
  ])('is read without its weights: %s', async (_name, options, expected, activations) => {
    const { bytes } = decoder(options);
    const facts = await factsIn(bytes);
    expect(facts).toMatchObject({ externalFiles: [], ...expected });
    expect(chosen(facts)).toEqual(activations);
    expect(facts.rounding).toBe(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).activations.kind);
  });

  it('owns up to products whose scaling it does not know', async () => {
    const bytes = scaledOtherwise();
    const facts = await factsIn(bytes);
    expect(chosen(facts)).toEqual(['exported', 'exported']);
    expect(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).activations.kind).toBe('not-recognised');
  });

  it('owns up to int8 weights that would take too much memory in fp32', async () => {
    const model = OnnxModel.read(decoder({ family: 'qwen2', attention: 'plain', weights: 'int8' }).bytes);
    const product = model.nodes.find(({ op }) => op === 'MatMulInteger');
    const weight = model.initializers.get(product?.inputs[1] ?? '');
    if (!weight) throw new Error('no weight');
    Object.assign(weight, { bytes: weightOf(weight.name, 30_000) });
    expect(chosen(await factsIn(model.write()))).toEqual(['exported', 'exported']);
  });

  it('names a file of weights however long its name is', async () => {
    const location = `${'./'.repeat(800)}weights.bin`;
    const entry = new Message().text(1, 'location').text(2, location);
    const tensor = new Message().int(tensorField.dims, 8).int(tensorField.dataType, elementType.float32).text(tensorField.name, 'w').message(tensorField.externalData, entry);
    const { bytes } = decoder({ family: 'llama', attention: 'plain' });
    const facts = await factsIn(new Message().raw(bytes).message(modelField.graph, new Message().message(graphField.initializer, tensor)).finish());
    expect(facts.externalFiles).toEqual([location]);
  });

  it('is refused where it has more structure than can be looked at in passing', async () => {
    const node = GraphNode.of({ op: 'Relu', inputs: ['x'], outputs: ['y'.repeat(1000)] });
    const graph = new Message();
    for (let i = 0; i < 34_000; i++) graph.bytes(graphField.node, node.bytes);
    await expect(factsIn(new Message().message(modelField.graph, graph).finish())).rejects.toThrow('is no ONNX model');
  });

  it('is refused where the bytes are no model', async () => {
    await expect(factsIn(Uint8Array.of(10, 200, 1))).rejects.toThrow('is no ONNX model (it is damaged or cut off');
    await expect(factsIn(Buffer.from('version https://git-lfs.github.com/spec/v1\n'))).rejects.toThrow('git lfs pull');
  });
});

/** An int8 initializer [side, side] whose data lie elsewhere. */
function weightOf(name: string, side: number): Uint8Array {
  return new Message().int(tensorField.dims, side).int(tensorField.dims, side).int(tensorField.dataType, elementType.int8).text(tensorField.name, name).finish();
}
