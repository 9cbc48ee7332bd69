import path from 'node:path';
import { expect, test } from 'vitest';
import { gainContext } from '../../../src/credit/contexts';
import { assignWritten } from '../../../src/credit/written';
import { prepare } from '../../../src/policy/prepare';
import { writtenRows } from '../../../src/policy/written';
import type { LikelihoodRequest, ReplayRequest, WrittenPiece } from '../../../src/replay/requests';
import { ParsedRecord } from '../../../src/trajectory/formats/parsedRecord';
import { readRecord } from '../../../src/trajectory/formats/readRecord';
import { slime } from '../../../src/trajectory/formats/slime';
import type { Trajectory } from '../../../src/trajectory/model';
import { useDemoPolicy } from '../../support/demoReplay';
import { sampleNames, samples } from '../../support/fixtures';
import { replayHere } from '../../support/replayHere';
import { sampleRequests } from '../../support/sampleRequests';
import { fullForward } from '../../support/unedited';

const demo = useDemoPolicy();

const [name = ''] = sampleNames();
const sample = (): { whole: LikelihoodRequest; others: readonly ReplayRequest[] } => {
  const { whole, without, states } = sampleRequests(path.join(samples, name), demo.policy.info.contract);
  return { whole: whole as LikelihoodRequest, others: [...without, ...states] };
};
const policyPieces = ({ context }: LikelihoodRequest): number[] => context.flatMap((_, piece) => (piece % 2 === 1 ? [piece] : []));
const writtenOf = async (request: LikelihoodRequest): Promise<readonly WrittenPiece[] | undefined> => {
  const [result] = (await replayHere(demo.policy, [request])).results;
  return result?.kind === 'likelihood' ? result.written : undefined;
};

test('equals one full forward, token for token', async () => {
  const { whole } = sample();
  const request = { ...whole, written: policyPieces(whole) };
  const prepared = prepare(request, demo.policy.encoder, demo.policy.contextLength);
  if (prepared.kind !== 'likelihood') throw new Error(prepared.kind);
  const asks = writtenRows(prepared.written ?? []).map(({ row, id }) => ({ at: row, token: id }));
  const rows = await fullForward(demo.exported, prepared.sequence.tokens, asks);
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
  const plain = await replayHere(demo.policy, [whole, ...others]);
  const asked = await replayHere(demo.policy, [{ ...whole, written: policyPieces(whole) }, ...others]);
  expect(asked.stats).toEqual(plain.stats);
});

test('a piece whose beginning is cut off has none', async () => {
  const { whole } = sample();
  const pieces = await writtenOf({ ...whole, written: policyPieces(whole), keepLast: 40 });
  expect(pieces?.[0]).toEqual({ kind: 'undefined', reason: 'its beginning was cut off the context' });
});

test('beside what a trainer recorded of this very policy it is 1, and without its ids unknown', async () => {
  const { whole } = sample();
  const request = { ...whole, written: policyPieces(whole) };
  const own = (await writtenOf(request)) ?? [];
  const texts = whole.context.slice(1).map((piece) => ('text' in piece ? (piece.text ?? '') : ''));
  const ids = texts.map((text) => demo.policy.encoder.tokenizer.encode(text).ids);
  const sampled = ids.flatMap((piece, i) => {
    const ownPiece = i % 2 === 0 ? own[i / 2] : undefined;
    return ownPiece?.kind === 'value' ? ownPiece.logprobs : piece.map(() => 0);
  });
  const row = {
    prompt: 'Question: Where?',
    response: texts.join(''),
    tokens: ids.flat(),
    loss_mask: ids.flatMap((piece, i) => piece.map(() => (i % 2 === 0 ? 1 : 0))),
    rollout_log_probs: sampled,
    reward: 1,
    label: 'x',
  };
  const read = readRecord(new ParsedRecord(JSON.stringify(row)), slime, {});
  if (read.kind !== 'trajectory') throw new Error(read.message);
  const t = { ...read.trajectory, prompt: { kind: 'contract' as const }, question: questionOf(whole) };
  const figures = async (trajectory: Trajectory): Promise<(number | undefined)[]> => {
    const context = gainContext(trajectory, demo.policy.info.contract);
    const [full] = (await replayHere(demo.policy, [{ ...whole, context, written: policyPieces({ ...whole, context }) }])).results;
    return assignWritten(trajectory, full).map((turn) => (turn.kind === 'value' && turn.recorded?.kind === 'value' ? turn.recorded.ratio : undefined));
  };
  const ratios = await figures(t);
  expect(ratios).toHaveLength(own.length);
  for (const ratio of ratios) expect(Math.abs((ratio ?? NaN) - 1)).toBeLessThan(1e-4);
  const others = t.turns.map((turn) => ({ ...turn, ids: { ...turn.ids, policy: [...(turn.ids?.policy ?? [])].reverse() } }));
  expect(await figures({ ...t, turns: others })).toEqual(ratios.map(() => undefined));
});

const questionOf = ({ context: [prompt] }: LikelihoodRequest): string => {
  const said = prompt && 'chat' in prompt ? (prompt.chat[0]?.content ?? '') : '';
  const [before = '', after = ''] = demo.policy.info.contract.agentPrompt.split('{question}');
  return said.slice(before.length, said.length - after.length);
};

test('is there without a target, and equals what the whole request gives', async () => {
  const { whole } = sample();
  const written = policyPieces(whole);
  expect(await writtenOf({ ...whole, target: '', scored: [], written })).toEqual(await writtenOf({ ...whole, written }));
});

test('of a context that is too long stands as far as that fits; one that is too long whatever turn is left out says so', async () => {
  const { whole } = sample();
  const long = (count: number): ReplayRequest => ({ ...whole, context: [...whole.context, ...Array.from({ length: count }, (_, i) => ({ text: `More of it, line ${String(i)}.` }))], written: [...policyPieces(whole), whole.context.length + count - 1] });
  const [result, near] = (await replayHere(demo.policy, [long(2_000), { ...whole, context: [...whole.context, { text: 'word '.repeat(3_000) }], written: policyPieces(whole) }])).results;
  const fitting = (await writtenOf({ ...whole, written: policyPieces(whole) })) ?? [];
  expect(result).toMatchObject({ kind: 'undefined', code: 'too-long', limit: demo.policy.contextLength, evenWithoutTwo: true });
  expect(result?.kind === 'undefined' && result.written).toEqual([...fitting, { kind: 'undefined', reason: "beyond the policy's 1,536 tokens of context" }]);
  expect([near?.kind === 'undefined' && near.evenWithoutTwo, near?.kind === 'undefined' && near.written]).toEqual([undefined, fitting]);
});
