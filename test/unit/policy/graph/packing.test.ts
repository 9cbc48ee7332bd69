import { describe, expect, it } from 'vitest';
import { editGraph } from '../../../../src/policy/graph/editGraph';
import { OnnxModel } from '../../../../src/policy/graph/model';
import { decoder, type DecoderOptions } from '../../../support/graphs/decoder';
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
