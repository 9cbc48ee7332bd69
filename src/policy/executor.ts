import { setImmediate } from 'node:timers/promises';
import { plan, subtreeTokens, type Plan, type PlanNode } from '../replay/plan';
import type { ReplayStats } from '../replay/policy';
import type { ReplayRequest, ReplayResult } from '../replay/requests';
import type { Decoder, KeyValues } from './decoder';
import type { Encoder } from './encoder';
import { decodeGreedily } from './greedy';
import { scoreToken } from './logits';
import { prepare, type PreparedAnswer, type PreparedLikelihood } from './prepare';

/** Tokens a prefill run takes at most: cancelling and signs of life take effect between runs. */
export const prefillChunk = 256;

export interface ReplayEngine {
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  /** Ids that end every answer. */
  readonly endTokens: ReadonlySet<number>;
  /** Tokens. */
  readonly contextLength: number;
}

export interface ReplayEvents {
  result(index: number, result: ReplayResult): void;
  /** Between requests while they are encoded. Throws to stop. */
  check(): void;
  /** After each run of the model, with the milliseconds it took. `total`: tokens of the plan. Throws to stop. */
  ran(milliseconds: number, done: number, total: number): void;
}

/** A request that has a place in the tree. */
type Entry = { readonly index: number } & (PreparedLikelihood | PreparedAnswer);

/**
 * Answers `requests`: each stretch of their prefix tree is run once, branches start from the cache of what they share, equal requests are asked once.
 * A result is reported as soon as it is there. Rejects with what `on` throws, or with PolicyError.
 */
export async function replay(requests: readonly ReplayRequest[], engine: ReplayEngine, on: ReplayEvents): Promise<ReplayStats> {
  const entries: Entry[] = [];
  for (const [index, request] of requests.entries()) {
    const prepared = prepare(request, engine.encoder, engine.contextLength);
    if (prepared.kind === 'undefined') on.result(index, prepared);
    else entries.push({ index, ...prepared });
    await setImmediate();
    on.check();
  }
  return new Replay(entries, plan(entries.map((entry) => entry.sequence)), engine, on).run();
}

class Replay {
  /** Logits that are wanted of the way from the root to where we are, by depth. */
  readonly #rows = new Map<number, Float32Array>();
  #tokensRun = 0;
  #tokensDecoded = 0;
  #runs = 0;

  constructor(
    readonly entries: readonly Entry[],
    readonly tree: Plan,
    readonly engine: ReplayEngine,
    readonly on: ReplayEvents,
  ) {}

  async run(): Promise<ReplayStats> {
    for (const root of this.tree.roots) await this.#subtree(root, this.engine.decoder.start());
    const { tokensNaive, tokensTree } = this.tree;
    return { tokensNaive, tokensTree, tokensRun: this.#tokensRun, tokensDecoded: this.#tokensDecoded, runs: this.#runs };
  }

  /** Runs a trunk in one go and then, from its tip down, what branches off: a branch overwrites only rows that nobody needs any more. */
  async #subtree(root: PlanNode, past: KeyValues): Promise<void> {
    const trunk = trunkOf(root);
    const keyValues = await this.#prefill(trunk, past);
    for (const [depth, node] of [...trunk.entries()].reverse()) {
      await this.#finish(node, keyValues);
      for (const branch of node.children) if (branch !== trunk[depth + 1]) await this.#subtree(branch, this.engine.decoder.prefix(keyValues, endOf(node)));
    }
  }

  /** Runs the trunk's tokens in chunks. Of the cache it fetches what branches and answers start from. */
  async #prefill(trunk: readonly PlanNode[], past: KeyValues): Promise<KeyValues> {
    const tokens = trunk.flatMap((node) => [...node.tokens]);
    const wanted = trunk.flatMap((node) => [...node.rows]);
    const needed = Math.max(0, ...trunk.filter((node) => this.#isStart(node)).map(endOf));
    let keyValues = past;
    for (let from = 0; from < tokens.length; from += prefillChunk) {
      const chunk = tokens.slice(from, from + prefillChunk);
      const start = past.length + from;
      const depths = wanted.filter((depth) => depth >= start && depth < start + chunk.length);
      const isLast = from + chunk.length === tokens.length;
      const started = performance.now();
      const out = await this.engine.decoder.forward(chunk, keyValues, depths.map((depth) => depth - start), !isLast || needed > start);
      for (const [index, row] of out.rows.entries()) this.#rows.set(depths[index] ?? NaN, row);
      keyValues = out.keyValues ?? keyValues;
      this.#tokensRun += chunk.length;
      await this.#ran(started);
    }
    return keyValues;
  }

  /** Whether something starts from the cache at the end of `node`. */
  #isStart(node: PlanNode): boolean {
    return node.children.length > 1 || node.ends.some((end) => this.entries[end]?.kind === 'answer');
  }

  /** Answers the requests whose tokens end with `node`. */
  async #finish(node: PlanNode, keyValues: KeyValues): Promise<void> {
    const decoded = new Map<string, ReplayResult>();
    for (const end of node.ends) {
      const entry = this.entries[end];
      if (entry?.kind === 'likelihood') this.on.result(entry.index, this.#score(entry));
      if (entry?.kind !== 'answer') continue;
      const asked = JSON.stringify([entry.request.stop, entry.request.maxTokens]);
      const result = decoded.get(asked) ?? (await this.#decode(entry, this.engine.decoder.prefix(keyValues, endOf(node))));
      decoded.set(asked, result);
      this.on.result(entry.index, result.kind === 'answer' ? { ...result, notes: entry.notes } : result);
    }
  }

  #score({ request, scored, contextTokens, cut, notes }: PreparedLikelihood): ReplayResult {
    const tokens = scored.flatMap((position) => scoreToken(this.#row(position.row), position, request.want) ?? []);
    if (tokens.length === scored.length) return { kind: 'likelihood', tokens, contextTokens, cut, notes };
    return { kind: 'undefined', code: 'not-finite', reason: "The policy's logits are not finite at a token of the target." };
  }

  async #decode({ request, contextTokens, notes }: PreparedAnswer, keyValues: KeyValues): Promise<ReplayResult> {
    const { decoder, encoder, endTokens } = this.engine;
    const afterRun = (started: number): Promise<void> => {
      this.#tokensDecoded++;
      return this.#ran(started);
    };
    const decoded = await decodeGreedily(request, this.#row(keyValues.length - 1), keyValues, { decoder, tokenizer: encoder.tokenizer, endTokens, afterRun });
    return 'kind' in decoded ? decoded : { kind: 'answer', ...decoded, contextTokens, notes };
  }

  #row(depth: number): Float32Array {
    const row = this.#rows.get(depth);
    if (!row) throw new Error(`no logits at depth ${String(depth)}`);
    return row;
  }

  async #ran(started: number): Promise<void> {
    this.#runs++;
    this.on.ran(performance.now() - started, this.#tokensRun, this.tree.tokensTree);
    // Lets the messages of the parent process in.
    await setImmediate();
  }
}

/** From `root` to a leaf, always into the branch with the most tokens: that part is run in full chunks, whatever branches off on the way. */
function trunkOf(root: PlanNode): PlanNode[] {
  const trunk: PlanNode[] = [];
  for (let node: PlanNode | undefined = root; node; ) {
    trunk.push(node);
    const weights: number[] = node.children.map(subtreeTokens);
    node = node.children[weights.indexOf(Math.max(...weights))];
  }
  return trunk;
}

const endOf = (node: PlanNode): number => node.start + node.tokens.length;
