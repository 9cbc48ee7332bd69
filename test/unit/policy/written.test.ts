import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Decoder } from '../../../src/policy/decoder';
import type { LoadedPolicy } from '../../../src/policy/load';
import { prepare } from '../../../src/policy/prepare';
import { writtenRows } from '../../../src/policy/written';
import type { LikelihoodRequest, ReplayRequest, WrittenPiece } from '../../../src/replay/requests';
import { demoPolicy, sampleNames, samples } from '../../support/fixtures';
import { loadHere, replayHere } from '../../support/replayHere';
import { sampleRequests } from '../../support/sampleRequests';
import { fullForward, uneditedDecoder } from '../../support/unedited';

let policy: LoadedPolicy;
let exported: Decoder;
beforeAll(async () => {
  policy = await loadHere(demoPolicy);
  exported = await uneditedDecoder(demoPolicy);
});
afterAll(async () => {
  await policy.decoder.release();
  await exported.release();
});

const [name = ''] = sampleNames();
const sample = (): { whole: LikelihoodRequest; others: readonly ReplayRequest[] } => {
  const { whole, without, states } = sampleRequests(path.join(samples, name), policy.info.contract);
  return { whole: whole as LikelihoodRequest, others: [...without, ...states] };
};
const policyPieces = ({ context }: LikelihoodRequest): number[] => context.flatMap((_, piece) => (piece % 2 === 1 ? [piece] : []));
const writtenOf = async (request: LikelihoodRequest): Promise<readonly WrittenPiece[] | undefined> => {
  const [result] = (await replayHere(policy, [request])).results;
  return result?.kind === 'likelihood' ? result.written : undefined;
};

test('equals one full forward, token for token', async () => {
  const { whole } = sample();
  const request = { ...whole, written: policyPieces(whole) };
  const prepared = prepare(request, policy.encoder, policy.contextLength);
  if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
  const asks = writtenRows(prepared.written ?? []).map(({ row, id }) => ({ at: row, token: id }));
  const rows = await fullForward(exported, prepared.sequence.tokens, asks);
  const pieces = (await writtenOf(request)) ?? [];
  const flat = pieces.flatMap((piece) => (piece.kind === 'value' ? piece.logprobs.map((logprob, i) => ({ logprob, entropy: piece.entropies[i] ?? NaN, rank: piece.ranks[i] })) : []));
  expect(pieces).toHaveLength(policyPieces(whole).length);
  expect(flat).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    expect(Math.abs((flat[i]?.logprob ?? NaN) - row.logprob)).toBeLessThan(1e-4);
    expect(Math.abs((flat[i]?.entropy ?? NaN) - row.entropy)).toBeLessThan(1e-4);
    expect(flat[i]?.rank).toBe(row.rank);
  }
});

test('costs no token and no run', async () => {
  const { whole, others } = sample();
  const plain = await replayHere(policy, [whole, ...others]);
  const asked = await replayHere(policy, [{ ...whole, written: policyPieces(whole) }, ...others]);
  expect(asked.stats).toEqual(plain.stats);
});

test('a piece whose beginning is cut off has none', async () => {
  const { whole } = sample();
  const pieces = await writtenOf({ ...whole, written: policyPieces(whole), keepLast: 40 });
  expect(pieces?.[0]).toEqual({ kind: 'undefined', reason: 'its beginning was cut off the context' });
});
