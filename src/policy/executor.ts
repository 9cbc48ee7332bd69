import { setImmediate } from 'node:timers/promises';
import { lengthOf, type Branch } from '../replay/branch';
import { choosePacks, type RunCost } from '../replay/packing';
import { plan, type Plan } from '../replay/plan';
import type { ReplayCost, ReplayStats } from '../replay/policy';
import type { ReplayRequest, ReplayResult } from '../replay/requests';
import { ancestryOf, endOf, pathOf, sideBranches, stretchOf, subtreeOf, trunkOf, within, type Place, type PlacedStretch } from '../replay/trunk';
import { collectCaches } from './collect';
import { decodeTogether, type OpenAnswer } from './decodeTogether';
import type { Decoder, Ran, Step } from './decoder';
import type { Encoder } from './encoder';
import { GreedyAnswer } from './greedy';
import type { KeyValues } from './keyValues';
import { Ledger, type Entry } from './ledger';
import { prepare } from './prepare';
import { TrunkRows, type WarmTrunks } from './warm';

/** Logits that one run computes at most: the graph holds several copies of its rows. */
const largestLogits = 16 << 20;

export interface ReplayEngine {
  readonly decoder: Pick<Decoder, 'packs' | 'resident' | 'start' | 'prefix' | 'run' | 'discard'>;
  readonly encoder: Encoder;
  /** Ids that end every answer. */
  readonly endTokens: ReadonlySet<number>;
  /** Tokens. */
  readonly contextLength: number;
  /** Of the device. */
  readonly cost: RunCost;
  /** What earlier calls left to start from. Absent: every call starts anew. */
  readonly warm?: WarmTrunks;
}

interface ReplayEvents {
  result(index: number, result: ReplayResult): void;
  /** Between requests while they are encoded. Throws to stop. */
  check(): void;
  /** After each run of the model, with the milliseconds it took. `total`: tokens of the plan. Throws to stop. */
  ran(milliseconds: number, done: number, total: number): void;
}

/**
 * Answers `requests`: each stretch of their prefix tree is run once, equal requests are asked once. Branches start from the cache of what
 * they share, packed into one run where that is cheaper, and answers are decoded side by side. A result is reported as soon as it is there.
 * Rejects with what `on` throws, or with PolicyError.
 */
export async function replay(requests: readonly ReplayRequest[], engine: ReplayEngine, on: ReplayEvents): Promise<ReplayStats> {
  const entries = await encode(requests, engine, on);
  return new Replay(entries, plan(entries.map((entry) => entry.sequence)), engine, on).run();
}

/** What {@link replay} would cost, from encoding alone. Rejects with what `check` throws. */
export async function replayCost(requests: readonly ReplayRequest[], engine: Pick<ReplayEngine, 'encoder' | 'contextLength'>, check: () => void): Promise<ReplayCost> {
  const entries = await encode(requests, engine, { result: () => undefined, check });
  const { tokensNaive, tokensTree } = plan(entries.map((entry) => entry.sequence));
  return { tokensNaive, tokensTree };
}

/** Those that can be answered; the others are reported. */
async function encode(requests: readonly ReplayRequest[], { encoder, contextLength }: Pick<ReplayEngine, 'encoder' | 'contextLength'>, on: Pick<ReplayEvents, 'result' | 'check'>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [index, request] of requests.entries()) {
    const prepared = prepare(request, encoder, contextLength);
    if (prepared.kind === 'undefined') on.result(index, prepared);
    else entries.push({ index, ...prepared });
    await setImmediate();
    on.check();
  }
  return entries;
}

class Replay {
  readonly #ledger: Ledger;
  /** Caches that hold memory of the device; others are left to the garbage collector, and may stay warm. */
  readonly #caches = new Set<KeyValues>();
  #tokensRun = 0;
  #tokensWarm = 0;
  #tokensDecoded = 0;
  #runs = 0;

  constructor(
    entries: readonly Entry[],
    readonly tree: Plan,
    readonly engine: ReplayEngine,
    readonly on: ReplayEvents,
  ) {
    this.#ledger = new Ledger(entries, tree, (index, result) => { on.result(index, result); });
  }

  async run(): Promise<ReplayStats> {
    try {
      for (const node of this.tree.roots) await this.#subtree({ node, start: node.start }, this.engine.decoder.start());
    } finally {
      for (const cache of this.#caches) this.#discard(cache);
    }
    const { tokensNaive, tokensTree } = this.tree;
    return { tokensNaive, tokensTree, tokensRun: this.#tokensRun, tokensDecoded: this.#tokensDecoded, runs: this.#runs };
  }

  /** Runs a trunk in one go, then what branches off: small branches packed, others each from the trunk's cache, from the tip down. */
  async #subtree(root: Place, past: KeyValues): Promise<void> {
    const { decoder, cost } = this.engine;
    const trunk = trunkOf(root);
    let cache = await this.#prefill(trunk, past);
    // On a device it is freed at the end; elsewhere a reference would keep it beside what is cut off it.
    const own = decoder.resident && cache !== past ? cache : undefined;
    const side = sideBranches(trunk);
    const { packs, alone } = decoder.packs ? choosePacks(side, cost) : { packs: [], alone: side };
    let waiting: readonly OpenAnswer[] = trunk.flatMap((place) => this.#answersAt(place));
    for (const pack of packs) waiting = await this.#pack(pack.map(({ place }) => place), cache, waiting);
    if (waiting.length > 0) await this.#decode(waiting, decoder.prefix(cache, furthest(waiting.map(({ branch }) => branch))));
    // What is cut off the cache for one branch is not needed by those that leave the trunk before it.
    for (const { place } of [...alone].sort((a, b) => b.start - a.start)) {
      cache = decoder.prefix(cache, place.start);
      await this.#subtree(place, cache);
    }
    if (own) this.#discard(own);
  }

  /** Runs the trunk's tokens, as many at a time as a run takes. Of the cache it fetches what branches and answers start from. */
  async #prefill(trunk: readonly Place[], past: KeyValues): Promise<KeyValues> {
    const tokens = trunk.flatMap(({ node }) => [...node.tokens]);
    const first = trunk[0]?.start ?? 0;
    const needed = trunk.reduce((most, place) => (this.#isStart(place) ? Math.max(most, endOf(place)) : most), 0);
    const longest = this.engine.cost.longestRun;
    const mostRows = Math.max(1, Math.floor(largestLogits / this.engine.encoder.vocabulary));
    const rows = trunk.flatMap(({ node }) => node.rows);
    const heard = new TrunkRows();
    const resumed = this.#resume(trunk, past, heard);
    let { cache } = resumed;
    for (let { from } = resumed, to = 0; from < tokens.length; from = to) {
      const beyond = rows.filter((row) => row >= first + from)[mostRows];
      to = Math.min(tokens.length, from + longest, (beyond ?? Infinity) - first);
      const stretches = trunk.flatMap((place) => within(stretchOf(place), first + from, first + to));
      const after = await this.#run(tokens.slice(from, to), stretches, cache, to < tokens.length || needed > first + from, heard);
      if (after && cache !== past) this.#discard(cache);
      cache = after ?? cache;
    }
    // A path that nothing starts from is no trunk.
    if (needed > first) this.engine.warm?.keep({ tokens: pathOf(trunk).slice(0, lengthOf(cache.columns)), tensors: cache.tensors, rows: heard });
    return cache;
  }

  /** Where a trunk goes on from: its past, or the cache of an earlier call as far as the rows that are wanted on the way are known. */
  #resume(trunk: readonly Place[], past: KeyValues, heard: TrunkRows): { readonly cache: KeyValues; readonly from: number } {
    const first = trunk[0]?.start ?? 0;
    const found = this.engine.warm?.find(pathOf(trunk));
    if (!found) return { cache: past, from: 0 };
    const { trunk: warm, shared } = found;
    const known = trunk.flatMap(({ node }) => this.#ledger.wantedIn(node)).map((want) => ({ want, row: warm.rows.find(want) }));
    const end = known.reduce((least, { want, row }) => (row ? least : Math.min(least, want.depth)), shared);
    if (end <= first) return { cache: past, from: 0 };
    for (const { want, row } of known) if (row && want.depth < end) this.#ledger.take(want, row);
    heard.merge(warm.rows, end);
    this.#tokensWarm += end - first;
    const columns = [{ branch: { start: 0 }, from: 0, length: warm.tokens.length }];
    const { tensors } = this.engine.decoder.prefix({ columns, tensors: warm.tensors }, end);
    return { cache: { columns: ancestryOf(trunk).flatMap((place) => within(stretchOf(place), 0, end)), tensors }, from: end - first };
  }

  /** Whether something starts from the cache at the end of `place`. */
  #isStart({ node }: Place): boolean {
    return node.children.length > 1 || this.#ledger.answersAt(node).length > 0;
  }

  /** Runs whole branches in one run. Answers in them are decoded together with those that wait; gives those that still wait. */
  async #pack(branches: readonly Place[], cache: KeyValues, waiting: readonly OpenAnswer[]): Promise<readonly OpenAnswer[]> {
    const places = branches.flatMap(subtreeOf);
    const inside = places.flatMap((place) => this.#answersAt(place));
    const joining = inside.length > 0 ? waiting : [];
    const past = this.engine.decoder.prefix(cache, furthest([...branches, ...joining.map(({ branch }) => branch)]));
    const after = await this.#run(places.flatMap(({ node }) => [...node.tokens]), places.map(stretchOf), past, inside.length > 0);
    if (!after) return waiting;
    await this.#decode([...inside, ...joining], after);
    this.#discard(after);
    return [];
  }

  /** Tokens of the tree, with the rows that are wanted of them. */
  async #run(tokens: readonly number[], stretches: readonly PlacedStretch[], past: KeyValues, keep: boolean, heard?: TrunkRows): Promise<KeyValues | undefined> {
    let before = 0;
    const wanted = stretches.flatMap(({ branch, from, length }) => {
      const here = this.#ledger.wantedIn(branch.node).filter(({ depth }) => depth >= from && depth < from + length);
      const found = here.map((want) => ({ want, at: before + want.depth - from }));
      before += length;
      return found;
    });
    const asks = wanted.map(({ want: { token, distribution }, at }) => ({ at, token, distribution }));
    this.#tokensRun += tokens.length;
    const { rows, keyValues } = await this.#step({ tokens, stretches, past, asks, keep });
    wanted.forEach(({ want }, i) => {
      const row = rows[i];
      if (!row) return;
      heard?.add(want, row);
      this.#ledger.take(want, row);
    });
    return keyValues;
  }

  #answersAt(place: Place): OpenAnswer[] {
    const { encoder, endTokens } = this.engine;
    return this.#ledger.answersAt(place.node).flatMap((group) => {
      const [entry] = group;
      return entry ? [{ group, branch: { parent: place, start: endOf(place) }, answer: new GreedyAnswer(entry.request, encoder.tokenizer, endTokens) }] : [];
    });
  }

  /** `cache`: holds the contexts of all, and what is decoded goes after it. */
  async #decode(answers: readonly OpenAnswer[], cache: KeyValues): Promise<void> {
    const { decoder } = this.engine;
    if (decoder.packs) await this.#decodeFrom(cache, answers);
    else for (const open of answers) await this.#decodeFrom(decoder.prefix(cache, open.branch.start), [open]);
  }

  async #decodeFrom(start: KeyValues, answers: readonly OpenAnswer[]): Promise<void> {
    // What a step leaves, the next one of its group goes on from, and nobody else.
    let last: KeyValues | undefined;
    const run = async (step: Step): Promise<Ran> => {
      this.#tokensDecoded += step.tokens.length;
      const ran = await this.#step(step);
      if (last) this.#discard(last);
      last = ran.keyValues;
      return ran;
    };
    await decodeTogether(answers, start, this.engine.decoder.packs, this.#ledger, run);
    if (last) this.#discard(last);
  }

  async #step(step: Step): Promise<Ran> {
    const started = performance.now();
    const ran = await this.engine.decoder.run(step);
    this.#runs++;
    if (ran.keyValues && this.engine.decoder.resident) this.#caches.add(ran.keyValues);
    this.on.ran(performance.now() - started, this.#tokensWarm + this.#tokensRun, this.tree.tokensTree);
    collectCaches();
    // Lets the messages of the parent process in.
    await setImmediate();
    return ran;
  }

  /** Nobody starts from it any more. */
  #discard(cache: KeyValues): void {
    if (this.#caches.delete(cache)) this.engine.decoder.discard(cache);
  }
}

const furthest = (branches: readonly Branch[]): number => branches.reduce((most, { start }) => Math.max(most, start), 0);
