import { describe, expect, test } from 'vitest';
import { Decoder } from '../../../src/policy/decoder';
import { decoderShape } from '../../../src/policy/decoderShape';
import { editGraph } from '../../../src/policy/graph/editGraph';
import type { Branch } from '../../../src/replay/branch';
import { decoder as makeGraph, type DecoderOptions } from '../../support/graphs/decoder';
import { forward, load } from '../../support/graphs/forward';
import { random } from '../../support/graphs/random';

const next = random(5);
const tokens = (count: number): number[] => Array.from({ length: count }, () => Math.floor(next() * 160));
const trunk = tokens(40);
const branches = [{ from: 40, ids: tokens(12) }, { from: 21, ids: tokens(9) }];

async function openDecoder({ bytes, shape }: ReturnType<typeof makeGraph>): Promise<Decoder> {
  const session = await load(editGraph(bytes, { activations: 'fp32', device: 'cpu' }).bytes);
  const config = { architecture: 'generated', keyValueHeads: shape.kvHeads, headSize: shape.headSize, endTokens: [] };
  return new Decoder(session, decoderShape(session, config, 'model.onnx'));
}

const variants: Record<string, DecoderOptions> = {
  'plain, sliding window': { family: 'llama', attention: 'plain', window: 16 },
  'gqa, sliding window': { family: 'llama', attention: 'gqa-packed', window: 16 },
};

describe.each(Object.entries(variants))('a graph that cannot be packed (%s)', (_name, options) => {
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
