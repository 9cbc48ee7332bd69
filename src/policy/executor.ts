import { setImmediate } from 'node:timers/promises';
import { plan, subtreeTokens, type PlanNode } from '../replay/plan';
import type { ReplayStats } from '../replay/policy';
import type { AnswerRequest, LikelihoodRequest, LikelihoodResult, ReplayRequest, ReplayResult, UndefinedResult } from '../replay/requests';
import type { Decoder, KeyValues } from './decoder';
import type { Encoder } from './encoder';
import { decodeGreedily } from './greedy';
import { scoreToken } from './logits';
import { prepare, type Prepared } from './prepare';

/** Tokens a prefill run takes at most: cancelling and signs of life take effect between runs. */
export const prefillChunk = 256;

export interface ReplayEngine {
  readonly decoder: Decoder;
  readonly encoder: Encoder;
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

/**
 * Answers `requests`: each stretch of the prefix tree is run once, branches start from the cache of what they share. Of the cache, one copy is kept for each
 * open branching; decoding works on copies. Rejects with what `on.ran` throws, or with PolicyError.
 */
export async function replay(requests: readonly ReplayRequest[], engine: ReplayEngine, on: ReplayEvents): Promise<ReplayStats> {
  const prepared: { readonly index: number; readonly request: ReplayRequest; readonly ready: Prepared }[] = [];
  for (const [index, request] of requests.entries()) {
    const ready = prepare(request, engine.encoder, engine.contextLength);
    if ('sequence' in ready) prepared.push({ index, request, ready });
    else on.result(index, ready);
    await setImmediate();
    on.check();
  }
  const tree = plan(prepared.map(({ ready }) => ready.sequence));
  const stats = { tokensNaive: tree.tokensNaive, tokensTree: tree.tokensTree, tokensRun: 0, tokensDecoded: 0, runs: 0 };
  /** Logits wanted on the way from the root to where we are, by depth. */
  const rows = new Map<number, Float32Array>();

  const ran = async (started: number, tokens: number, decoded: number): Promise<void> => {
    stats.tokensRun += tokens;
    stats.tokensDecoded += decoded;
    stats.runs++;
    on.ran(performance.now() - started, stats.tokensRun, tree.tokensTree);
    // Lets the messages of the parent process in.
    await setImmediate();
  };

  const prefill = async (tokens: readonly number[], wanted: readonly number[], past: KeyValues, keepFrom: number): Promise<KeyValues> => {
    let keyValues = past;
    for (let from = 0; from < tokens.length; from += prefillChunk) {
      const chunk = tokens.slice(from, from + prefillChunk);
      const start = keyValues.length;
      const here = wanted.filter((depth) => depth >= start && depth < start + chunk.length);
      const last = from + prefillChunk >= tokens.length;
      const started = performance.now();
      const out = await engine.decoder.forward(chunk, keyValues, here.map((depth) => depth - start), !last || keepFrom > start);
      here.forEach((depth, index) => {
        const row = out.rows[index];
        if (row) rows.set(depth, row);
      });
      keyValues = out.keyValues ?? keyValues;
      await ran(started, chunk.length, 0);
    }
    return keyValues;
  };

  const runSubtree = async (root: PlanNode, past: KeyValues): Promise<void> => {
    const stem = heaviestPath(root);
    const keepFrom = Math.max(0, ...stem.filter((node) => node.children.length > 1 || node.ends.some((end) => prepared[end]?.request.kind === 'answer')).map(endOf));
    const keyValues = await prefill(stem.flatMap((node) => [...node.tokens]), stem.flatMap((node) => [...node.rows]), past, keepFrom);
    // From the tip down, so that a branch overwrites only rows that nobody needs any more.
    for (const [depth, node] of [...stem.entries()].reverse()) {
      await finish(node, keyValues);
      for (const branch of node.children) if (branch !== stem[depth + 1]) await runSubtree(branch, engine.decoder.prefix(keyValues, endOf(node)));
    }
  };

  const finish = async (node: PlanNode, keyValues: KeyValues): Promise<void> => {
    const answers = new Map<string, ReplayResult>();
    for (const end of node.ends) {
      const entry = prepared[end];
      if (!entry) continue;
      const { index, request, ready } = entry;
      if (request.kind === 'likelihood') {
        on.result(index, scoreTarget(request, ready, rows));
        continue;
      }
      const key = JSON.stringify([request.stop, request.maxTokens]);
      const same = answers.get(key) ?? (await answer(request, ready, engine.decoder.prefix(keyValues, endOf(node))));
      answers.set(key, same);
      on.result(index, same.kind === 'answer' ? { ...same, notes: ready.notes } : same);
    }
  };

  const answer = async (request: AnswerRequest, ready: Prepared, keyValues: KeyValues): Promise<ReplayResult> => {
    const row = rows.get(keyValues.length - 1) ?? new Float32Array();
    const parts = { decoder: engine.decoder, tokenizer: engine.encoder.tokenizer, endTokens: engine.endTokens, afterRun: (started: number) => ran(started, 0, 1) };
    const decoded = await decodeGreedily(request, row, keyValues, parts);
    return 'kind' in decoded ? decoded : { kind: 'answer', ...decoded, contextTokens: ready.contextTokens, notes: ready.notes };
  };

  for (const root of tree.roots) await runSubtree(root, engine.decoder.start());
  return stats;
}

/** From `root` to a leaf, always into the branch with the most tokens: that part is run in full chunks, whatever branches off on the way. */
function heaviestPath(root: PlanNode): PlanNode[] {
  const stem: PlanNode[] = [];
  for (let node: PlanNode | undefined = root; node; ) {
    stem.push(node);
    const weights: number[] = node.children.map(subtreeTokens);
    node = node.children[weights.indexOf(Math.max(...weights))];
  }
  return stem;
}

const endOf = (node: PlanNode): number => node.start + node.tokens.length;

function scoreTarget(request: LikelihoodRequest, ready: Prepared, rows: ReadonlyMap<number, Float32Array>): LikelihoodResult | UndefinedResult {
  const tokens = ready.scored.flatMap((position) => scoreToken(rows.get(position.row) ?? new Float32Array(), position, request.want) ?? []);
  if (tokens.length < ready.scored.length) return { kind: 'undefined', code: 'not-finite', reason: "The policy's logits are not finite at a token of the target." };
  return { kind: 'likelihood', tokens, contextTokens: ready.contextTokens, cut: ready.cut, notes: ready.notes };
}
