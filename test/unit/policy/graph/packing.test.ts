import { describe, expect, it } from 'vitest';
import { editGraph } from '../../../../src/policy/graph/editGraph';
import { Initializer, OnnxModel } from '../../../../src/policy/graph/model';
import { GraphNode } from '../../../../src/policy/graph/node';
import { elementType, tensor } from '../../../../src/policy/graph/proto';
import { decoder, type DecoderOptions, type DecoderShape } from '../../../support/graphs/decoder';
import { emptyCache, forward, load, pack, runPacked, type Row } from '../../../support/graphs/forward';
import { random } from '../../../support/graphs/random';
import { reference, tolerance, variants } from '../../../support/graphs/variants';

const next = random(17);
const tokens = (count: number): number[] => Array.from({ length: count }, () => Math.floor(next() * 160));
const trunk = tokens(23);
const branches = [
  { from: 23, ids: tokens(6) },
  { from: 23, ids: tokens(4) },
  { from: 9, ids: tokens(8) },
  { from: 1, ids: tokens(3) },
];

async function oneForwardEach(options: DecoderOptions): Promise<Row[]> {
  const { bytes, shape } = decoder(options);
  const session = await load(reference(bytes));
  const rows: Row[] = [];
  for (const { from, ids } of branches) rows.push(...(await forward(session, shape, [...trunk.slice(0, from), ...ids])).slice(from - 1));
  return rows;
}

function furthest(rows: ReadonlyMap<number, Row>, expected: readonly Row[], key: keyof Row): number {
  expect(rows.size).toBe(expected.length);
  return Math.max(...expected.map((row, i) => Math.abs(row[key] - (rows.get(i)?.[key] ?? NaN))));
}

describe.each(Object.entries(variants))('%s', (_name, options) => {
  it('gives in one packed run what one forward each gives', async () => {
    const { bytes, shape } = decoder(options);
    const edited = editGraph(bytes, { activations: 'fp32', device: 'cpu' });
    expect([edited.packing, edited.rows]).toEqual([{ kind: 'applied' }, { kind: 'applied' }]);
    expect(edited.activations.kind).toBe(options.weights === undefined ? 'not-needed' : 'applied');
    const session = await load(edited.bytes);
    const { rows } = await runPacked(session, pack(trunk, branches), emptyCache(session, shape), 0);
    const expected = await oneForwardEach(options);
    for (const key of ['logprob', 'entropy', 'margin'] as const) expect(furthest(rows, expected, key)).toBeLessThan(tolerance(options));
    expect(furthest(rows, expected, 'best')).toBe(0);
    expect(furthest(rows, expected, 'rank')).toBe(0);
  });

  it('gives the same in runs that continue from the KV of the run before', async () => {
    const { bytes, shape } = decoder(options);
    const session = await load(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).bytes);
    const packed = pack(trunk, branches);
    const rows = new Map<number, Row>();
    let cache = emptyCache(session, shape);
    for (const [past, end] of [[0, 10], [10, 25], [25, packed.ids.length]] as const) {
      const run = await runPacked(session, packed, cache, past, end);
      cache = run.cache;
      for (const [row, result] of run.rows) rows.set(row, result);
    }
    expect(furthest(rows, await oneForwardEach(options), 'logprob')).toBeLessThan(tolerance(options));
  });
});

it('gives the entropy of a vocabulary some of which is masked out', async () => {
  const options: DecoderOptions = { family: 'llama', attention: 'plain' };
  const masked = (by: number): { bytes: Uint8Array; shape: DecoderShape } => {
    const { bytes, shape } = decoder(options);
    const model = OnnxModel.read(bytes);
    const head = model.nodes.find(({ outputs }) => outputs.includes('logits'));
    if (head?.op !== 'MatMul') throw new Error('the head is no product');
    const bias = Float32Array.from({ length: shape.vocabulary }, (_, id) => (id % 7 === 3 ? by : 0));
    model.addInitializer(new Initializer(tensor('mask', elementType.float32, [shape.vocabulary], bias).finish()));
    const unmasked = GraphNode.of({ op: 'MatMul', inputs: head.inputs, outputs: ['unmasked'] });
    model.replace(new Map([[head, [unmasked, GraphNode.of({ op: 'Add', inputs: ['unmasked', 'mask'], outputs: ['logits'] })]]]));
    return { bytes: model.write(), shape };
  };
  // Far enough below the others to be nothing, and finite.
  const low = masked(-1e4);
  const expected = await forward(await load(low.bytes), low.shape, trunk);
  const { bytes, shape } = masked(-Infinity);
  const session = await load(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).bytes);
  const { rows } = await runPacked(session, pack(trunk.slice(0, 1), [{ from: 1, ids: trunk.slice(1) }]), emptyCache(session, shape), 0);
  for (const key of ['entropy', 'margin'] as const) expect(furthest(rows, expected, key)).toBeLessThan(tolerance(options));
});

describe('graphs that cannot be packed', () => {
  it.each(['plain', 'gqa'] as const)('leaves a sliding window as it is (%s)', (attention) => {
    const { bytes } = decoder({ family: 'llama', attention, window: 16 });
    const edited = editGraph(bytes, { activations: 'fp32', device: 'cpu' });
    expect(edited.packing).toEqual({ kind: 'not-recognised', why: 'attention looks back over a sliding window' });
    expect(edited.rows).toEqual({ kind: 'applied' });
  });

  it('keeps the exported activations where they are wanted', () => {
    const { bytes } = decoder({ family: 'llama', attention: 'gqa-packed', weights: 'int4' });
    const edited = editGraph(bytes, { activations: 'exported', device: 'cpu' });
    expect(edited.activations).toEqual({ kind: 'not-needed' });
    expect(OnnxModel.read(edited.bytes).nodes.find(({ op }) => op === 'MatMulNBits')?.int('accuracy_level')).toBe(4);
  });
});
