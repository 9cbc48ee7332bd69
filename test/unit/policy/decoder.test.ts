import { describe, expect, test } from 'vitest';
import { Decoder } from '../../../src/policy/decoder';
import { decoderShape } from '../../../src/policy/decoderShape';
import { editGraph } from '../../../src/policy/graph/editGraph';
import type { KeyValues } from '../../../src/policy/keyValues';
import type { Branch } from '../../../src/replay/branch';
import { decoder as makeGraph, type DecoderOptions } from '../../support/graphs/decoder';
import { forward, load } from '../../support/graphs/forward';
import { random } from '../../support/graphs/random';
import { reference, tolerance, variants } from '../../support/graphs/variants';

const next = random(5);
const tokens = (count: number): number[] => Array.from({ length: count }, () => Math.floor(next() * 160));
const trunk = tokens(40);
const branches = [{ from: 40, ids: tokens(12) }, { from: 21, ids: tokens(9) }];

async function openDecoder({ bytes, shape }: ReturnType<typeof makeGraph>): Promise<Decoder> {
  const session = await load(editGraph(bytes, { activations: 'fp32', device: 'cpu', columns: true }).bytes);
  const config = { architecture: 'generated', keyValueHeads: shape.kvHeads, headSize: shape.headSize, endTokens: [] };
  return new Decoder(session, decoderShape(session, config, 'model.onnx'));
}

const notPacked: Record<string, DecoderOptions> = {
  'plain, sliding window': { family: 'llama', attention: 'plain', window: 16 },
  'gqa, sliding window': { family: 'llama', attention: 'gqa-packed', window: 16 },
};

describe.each(Object.entries(notPacked))('a graph that cannot be packed (%s)', (_name, options) => {
  test('is forked from the cache, and gives what one forward gives', async () => {
    const graph = makeGraph(options);
    const decoder = await openDecoder(graph);
    expect(decoder.packs).toBe(false);
    const root: Branch = { start: 0 };
    const { keyValues = decoder.start() } = await decoder.run({ tokens: trunk, stretches: [{ branch: root, from: 0, length: trunk.length }], past: decoder.start(), asks: [], keep: true });
    const exported = await load(graph.bytes);
    for (const { from, ids } of branches) {
      const fed = [trunk[from - 1] ?? 0, ...ids.slice(0, -1)];
      const stretches = [{ branch: root, from: from - 1, length: fed.length }];
      const { rows } = await decoder.run({ tokens: fed, stretches, past: decoder.prefix(keyValues, from - 1), asks: ids.map((token, at) => ({ at, token })), keep: false });
      const expected = (await forward(exported, graph.shape, [...trunk.slice(0, from), ...ids])).slice(from - 1);
      expect(rows.length).toBe(ids.length);
      for (const [i, row] of rows.entries()) {
        expect(Math.abs(row.logprob - (expected[i]?.logprob ?? NaN))).toBeLessThan(1e-4);
        expect(row.best).toBe(expected[i]?.best);
      }
    }
  });
});

/** The floats of a cache, input by input. */
const floats = ({ tensors }: KeyValues): number[][] => Object.values(tensors).map(({ data }) => [...(data as Float32Array | Uint16Array)]);

describe.each(Object.entries(variants))('a cache that grows run by run (%s)', (_name, options) => {
  // Lengths at which what is recent is kept apart, and at which it joins the rest.
  const runs = [17, 3, 1, 1, 18];

  async function grown(decoder: Decoder, root: Branch): Promise<KeyValues> {
    let past = decoder.start();
    for (let from = 0, i = 0; i < runs.length; from += runs[i++] ?? 0) {
      const run = trunk.slice(from, from + (runs[i] ?? 0));
      const { keyValues } = await decoder.run({ tokens: run, stretches: [{ branch: root, from, length: run.length }], past, asks: [], keep: true });
      past = keyValues ?? past;
    }
    return past;
  }

  test('gives what one forward gives, wherever a branch leaves it', async () => {
    const graph = makeGraph(options);
    const decoder = await openDecoder(graph);
    const root: Branch = { start: 0 };
    const cache = await grown(decoder, root);
    const before = floats(cache);
    const exported = await load(reference(graph.bytes));
    for (const from of [1, 17, 20, 22, 39, 40]) {
      const past = decoder.prefix(cache, from - 1);
      expect(past.columns.reduce((sum, { length }) => sum + length, 0)).toBe(from - 1);
      const ids = tokens(7);
      const fed = [trunk[from - 1] ?? 0, ...ids.slice(0, -1)];
      const branch = { parent: root, start: from - 1 };
      const { rows } = await decoder.run({ tokens: fed, stretches: [{ branch, from: from - 1, length: fed.length }], past, asks: ids.map((token, at) => ({ at, token })), keep: false });
      const expected = (await forward(exported, graph.shape, [...trunk.slice(0, from), ...ids])).slice(from - 1);
      rows.forEach((row, i) => { expect(Math.abs(row.logprob - (expected[i]?.logprob ?? NaN))).toBeLessThan(tolerance(options)); });
    }
    expect(floats(cache)).toEqual(before);
  });

  test('gives each run its own columns, and no copy of those before them', async () => {
    const graph = makeGraph(options);
    const { bytes, columns } = editGraph(graph.bytes, { activations: 'fp32', device: 'cpu', columns: true });
    expect(columns).toEqual({ kind: 'applied' });
    const session = await load(bytes);
    expect(session.outputNames.filter((name) => name.startsWith('present'))).toEqual([]);
    const decoder = await openDecoder(graph);
    const root: Branch = { start: 0 };
    const first = await decoder.run({ tokens: trunk, stretches: [{ branch: root, from: 0, length: 40 }], past: decoder.start(), asks: [], keep: true });
    const past = first.keyValues ?? decoder.start();
    const { keyValues } = await decoder.run({ tokens: [3, 4], stretches: [{ branch: root, from: 40, length: 2 }], past, asks: [], keep: true });
    const names = session.inputNames.filter((name) => name.startsWith('past_key_values'));
    expect(names.length).toBe(2 * graph.shape.layers);
    for (const name of names) {
      expect(keyValues?.tensors[name]).toBe(past.tensors[name]);
      expect(keyValues?.tensors[name.replace('past', 'recent')]?.dims[2]).toBe(2);
    }
  });
});
