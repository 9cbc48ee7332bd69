import type { PolicyContract } from './contract';
import type { Device, DeviceReport } from './device';
import type { CharRange, Piece, ReplayRequest, ReplayResult, TokenIds } from './requests';

/** A policy that scores and generates: local ONNX in a process of its own, a fake in tests. Every call crosses a process. */
export interface Policy {
  /** Loads the policy where it is not loaded yet. Rejects with {@link PolicyError}. */
  describe(signal?: AbortSignal): Promise<PolicyInfo>;
  /** Ids and, for text pieces, UTF-16 offsets of each token in its piece. */
  tokenize(pieces: readonly Piece[], signal?: AbortSignal): Promise<readonly TokenizedPiece[]>;
  /**
   * Answers the requests, equal ones once. `on.result` is called as each is finished, so that what is done survives a cancel or a crash.
   * Rejects with {@link PolicyError} (`cancelled` when `signal` aborts).
   * @param anew run every token, whatever earlier calls left
   */
  run(requests: readonly ReplayRequest[], on: ReplayProgress, signal?: AbortSignal, anew?: boolean): Promise<ReplayStats>;
  /** What the requests would cost, from their tokens alone: nothing is run. */
  plan(requests: readonly ReplayRequest[], signal?: AbortSignal): Promise<ReplayCost>;
  /** Ends the process. The next call starts it again. */
  dispose(): Promise<void>;
}

export interface TokenizedPiece {
  readonly ids: TokenIds;
  readonly offsets?: readonly CharRange[];
}

export interface ReplayProgress {
  /** `index`: into the requests. */
  result(index: number, result: ReplayResult): void;
  /** After each run of the model: tokens of the plan done so far, and in all. */
  tokens?(done: number, total: number): void;
}

/** What requests cost before anything of them is known. One that cannot be answered costs nothing. */
export interface ReplayCost {
  /** Sum over the requests of the tokens one forward each would run. */
  readonly tokensNaive: number;
  /** Distinct tokens of the prefix tree, less each sequence's last; decoded ones not counted. */
  readonly tokensTree: number;
}

/** What one call of `run` cost. */
export interface ReplayStats extends ReplayCost {
  /** Tokens run, decoded ones not counted: those of the tree, less what an earlier call had left warm. */
  readonly tokensRun: number;
  /** Tokens run to decode, with those that were guessed to follow and did not. */
  readonly tokensDecoded: number;
  /** Calls of the model. */
  readonly runs: number;
}

export interface PolicyInfo {
  /** Folder as the user named it. */
  readonly name: string;
  /** `sha256:…` over the files it loads. */
  readonly hash: string;
  readonly contract: PolicyContract;
  /** From config, for people: `qwen2`, `llama`, … */
  readonly architecture: string;
  readonly device: Device;
  /** How it came to run there; absent: there was no choice. */
  readonly devices?: DeviceReport;
  /** Of the weights as computed with. */
  readonly dtype: string;
  /** How activations are computed: `fp32`, `fp16`, `bf16`, or `exported` where they are rounded to integers as the graph was exported. */
  readonly activations: string;
  /** What of the graph was not recognised and runs as it was exported: sentences for people. */
  readonly graphNotes?: readonly string[];
  /** What of the folder's contract is passed over: sentences for people. */
  readonly contractNotes?: readonly string[];
  /** `onnxruntime 1.30.0` */
  readonly runtime: string;
  /** Tokens. */
  readonly contextLength: number;
  readonly hasChatTemplate: boolean;
}

export type PolicyErrorCode =
  /** The folder is not a policy that can be loaded; the message names what is missing and the remedy. */
  | 'bad-folder'
  /** The graph or the tokenizer did not load. */
  | 'load-failed'
  | 'cancelled'
  /** The process ended by itself. */
  | 'crashed'
  | 'out-of-memory'
  /** No sign of life for too long, and the user chose to restart. */
  | 'hung'
  /** The runtime refused a run. */
  | 'run-failed';

/** The only error a {@link Policy} rejects with; anything else is a bug. */
export class PolicyError extends Error {
  constructor(
    readonly code: PolicyErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'PolicyError';
  }
}
