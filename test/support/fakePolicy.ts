import { defaultContract, type PolicyContract } from '../../src/replay/contract';
import { type Policy, PolicyError, type PolicyInfo, type ReplayCost, type ReplayProgress, type ReplayStats, type TokenizedPiece } from '../../src/replay/policy';
import type { AnswerRequest, EncodingNote, LikelihoodRequest, Piece, ReplayRequest, ReplayResult } from '../../src/replay/requests';

export interface FakeBehaviour {
  readonly contract?: Partial<PolicyContract>;
  readonly info?: Partial<PolicyInfo>;
  /** What is generated from the evaluator's message. Default: `reading`. */
  readonly answer?: (prompt: string) => string;
  /** Mean log-probability of the gold after a context. Default: −0.1 where the context holds the gold, else −5. */
  readonly logprob?: (context: string, gold: string) => number;
  /** Overrules a result by its request. */
  readonly result?: (request: ReplayRequest) => ReplayResult | undefined;
  readonly notes?: (request: ReplayRequest) => readonly EncodingNote[];
  /** Milliseconds before each result. */
  readonly delay?: number;
  /** Rejects after so many results of a run, as a process that dies. */
  readonly dieAfter?: number;
}

export const textOfContext = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if ('chat' in piece) return piece.chat.map(({ content }) => content).join('\n');
      if ('stripped' in piece) return piece.stripped;
      return 'ids' in piece ? (piece.text ?? piece.ids.join(' ')) : piece.text;
    })
    .join('');

/** Answers with whatever `is …` said last, as a reader who believes the latest document. */
export function reading(prompt: string): string {
  const found = [...prompt.matchAll(/ is ([^.]*)\./g)].at(-1)?.[1];
  return `<answer> ${found ?? 'unknown'} </answer>`;
}

/** A policy made of two functions: deterministic, immediate, and it counts what it is asked. */
export class FakePolicy implements Policy {
  readonly asked: ReplayRequest[][] = [];
  described = 0;
  readonly info: PolicyInfo;
  behaviour: FakeBehaviour;

  constructor(behaviour: FakeBehaviour = {}) {
    this.behaviour = behaviour;
    this.info = {
      name: 'fake',
      hash: `sha256:${'0'.repeat(64)}`,
      contract: { ...defaultContract, ...behaviour.contract },
      architecture: 'fake',
      device: 'cpu',
      dtype: 'float32',
      activations: 'fp32',
      runtime: 'none',
      contextLength: 4096,
      hasChatTemplate: true,
      ...behaviour.info,
    };
  }

  /** Everything asked so far. */
  get requests(): ReplayRequest[] {
    return this.asked.flat();
  }

  async describe(): Promise<PolicyInfo> {
    this.described++;
    return Promise.resolve(this.info);
  }

  async tokenize(pieces: readonly Piece[]): Promise<readonly TokenizedPiece[]> {
    return Promise.resolve(pieces.map((piece) => ({ ids: [...textOfContext([piece])].map((c) => c.codePointAt(0) ?? 0) })));
  }

  async run(requests: readonly ReplayRequest[], on: ReplayProgress, signal?: AbortSignal): Promise<ReplayStats> {
    this.asked.push([...requests]);
    for (const [index, request] of requests.entries()) {
      await new Promise((resolve) => setTimeout(resolve, this.behaviour.delay ?? 0));
      if (signal?.aborted) throw new PolicyError('cancelled', 'Scoring was cancelled.');
      if (index === this.behaviour.dieAfter) throw new PolicyError('crashed', 'The policy’s process ended by itself.');
      on.result(index, this.#result(request));
    }
    return { tokensNaive: 0, tokensTree: 0, tokensRun: 0, tokensDecoded: 0, runs: requests.length };
  }

  /** A token a request, and no two of them alike. */
  async plan(requests: readonly ReplayRequest[]): Promise<ReplayCost> {
    return Promise.resolve({ tokensNaive: requests.length, tokensTree: new Set(requests.map((request) => JSON.stringify(request))).size });
  }

  async dispose(): Promise<void> {
    return Promise.resolve();
  }

  #result(request: ReplayRequest): ReplayResult {
    const given = this.behaviour.result?.(request);
    if (given) return given;
    return request.kind === 'answer' ? this.#answer(request) : this.#likelihood(request);
  }

  #answer(request: AnswerRequest): ReplayResult {
    const text = (this.behaviour.answer ?? reading)(textOfContext(request.context));
    return { kind: 'answer', text, ids: [1], logprobs: [-0.1], margin: 1, ended: 'stop', contextTokens: 1, notes: this.#notes(request) };
  }

  #likelihood(request: LikelihoodRequest): ReplayResult {
    const context = textOfContext(request.context);
    const [range] = request.scored;
    const gold = request.target.slice(range?.start, range?.end);
    const logprob = (this.behaviour.logprob ?? ((c, g) => (c.includes(g) ? -0.1 : -5)))(context, gold);
    return { kind: 'likelihood', tokens: [{ id: 0, text: gold, logprob }], contextTokens: 1, cut: 0, notes: this.#notes(request) };
  }

  #notes(request: ReplayRequest): readonly EncodingNote[] {
    return this.behaviour.notes?.(request) ?? [];
  }
}
