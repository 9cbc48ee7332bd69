import type { Branch, Stretch } from '../../replay/branch';
import type { Parity } from '../../replay/device';
import type { TokenIds } from '../../replay/requests';
import type { Decoder } from '../decoder';
import type { KeyValues } from '../keyValues';
import type { RowScore } from '../rowScore';

/** What a device made of the probe. */
export interface Probed {
  /** Nats, of every token of the probe given those before it, branch after branch. */
  readonly logprobs: readonly number[];
  /** Of a run of the trunk, warmed up. */
  readonly milliseconds: number;
}

/** Tokens of the trunk: more than the 31 up to which GroupQueryAttention is right on some devices, and no multiple of a tile. */
const trunkLength = 53;
const branchLength = 7;

/** Text that any policy has seen the like of: its log-probabilities are of ordinary size. */
const text =
  'The question asks who wrote the book. I should search for the author first, then check the year against the second document. ' +
  'The result says that the novel was published in 1925 and won a prize two years later, so the answer is known with some confidence.';

/** The ids of the probe. `encode`: the policy's tokenizer; a short text of it is repeated. */
export function probeTokens(encode: (text: string) => TokenIds): TokenIds {
  const ids = encode(text);
  return Array.from({ length: trunkLength + 2 * branchLength }, (_, i) => ids[i % ids.length] ?? 0);
}

/**
 * Everything that replay does with a device, once: a trunk whose cache is kept, cut into runs of at most `longestRun`, and two branches that
 * start from it at different places, packed into one run where the decoder packs. Rejects with PolicyError.
 */
export async function probe(decoder: Decoder, tokens: TokenIds, longestRun: number): Promise<Probed> {
  const trunk: Branch = { start: 0 };
  const ids = tokens.slice(0, trunkLength);
  const logprobs: number[] = [];
  let past = decoder.start();
  for (let from = 0; from < ids.length; from += longestRun) {
    const run = ids.slice(from, from + longestRun);
    const ran = await decoder.run({ ...stepOf(run, [{ branch: trunk, from, length: run.length }], past, tokens.slice(from + 1)), keep: true });
    logprobs.push(...ran.rows.map(({ logprob }) => logprob));
    if (ran.keyValues) past = replaced(decoder, past, ran.keyValues);
  }
  const branches = [trunkLength, trunkLength - 20].map((start, i) => ({ branch: { parent: trunk, start }, ids: tokens.slice(trunkLength + i * branchLength, trunkLength + (i + 1) * branchLength) }));
  for (const group of decoder.packs ? [branches] : branches.map((branch) => [branch])) logprobs.push(...(await runBranches(decoder, group, past)));
  const milliseconds = (await timed(decoder, ids.slice(0, longestRun))) * Math.max(1, trunkLength / longestRun);
  decoder.discard(past);
  return { logprobs, milliseconds };
}

interface ProbeBranch {
  readonly branch: Branch;
  readonly ids: TokenIds;
}

async function runBranches(decoder: Decoder, group: readonly ProbeBranch[], trunk: KeyValues): Promise<number[]> {
  const stretches = group.map(({ branch, ids }) => ({ branch: decoder.packs ? branch : (branch.parent ?? branch), from: branch.start, length: ids.length }));
  const past = decoder.prefix(trunk, Math.max(...stretches.map(({ from }) => from)));
  const { rows } = await decoder.run({ ...stepOf(group.flatMap(({ ids }) => [...ids]), stretches, past, group.flatMap(({ ids }) => [...ids.slice(1), 0])), keep: false });
  return rows.map(({ logprob }: RowScore) => logprob);
}

function stepOf(tokens: TokenIds, stretches: readonly Stretch[], past: KeyValues, next: TokenIds): Omit<Parameters<Decoder['run']>[0], 'keep'> {
  return { tokens, stretches, past, asks: tokens.map((_, at) => ({ at, token: next[at] ?? 0 })) };
}

function replaced(decoder: Decoder, old: KeyValues, now: KeyValues): KeyValues {
  decoder.discard(old);
  return now;
}

/** The quicker of two runs, after one that warms up. */
async function timed(decoder: Decoder, ids: TokenIds): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const started = performance.now();
    await decoder.run({ ...stepOf(ids, [{ branch: { start: 0 }, from: 0, length: ids.length }], decoder.start(), []), keep: false });
    if (i > 0) best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Compares a device's probe with the CPU's. `longestRun`: of the device's probe, where longer runs do not agree. */
export function parityOf(cpu: Probed, device: Probed, tolerance: number, longestRun?: number): Parity {
  const differences = cpu.logprobs.map((logprob, i) => Math.abs(logprob - (device.logprobs[i] ?? NaN)));
  const difference = differences.some((value) => !Number.isFinite(value)) ? Infinity : Math.max(...differences);
  return { difference, tolerance, milliseconds: device.milliseconds, cpuMilliseconds: cpu.milliseconds, ...(longestRun === undefined ? {} : { longestRun }) };
}
