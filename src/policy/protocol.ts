import type { PolicyErrorCode, PolicyInfo, ReplayCost, ReplayStats, TokenizedPiece } from '../replay/policy';
import type { PolicyChoices } from '../replay/policyChoices';
import type { Piece, ReplayRequest, ReplayResult } from '../replay/requests';

/** What the parent asks of the policy's process; calls are answered one after the other. */
export interface Calls {
  load: { readonly ask: LoadCall; readonly answer: LoadAnswer };
  tokenize: { readonly ask: { readonly pieces: readonly Piece[] }; readonly answer: readonly TokenizedPiece[] };
  plan: { readonly ask: { readonly requests: readonly ReplayRequest[] }; readonly answer: ReplayCost };
  run: { readonly ask: { readonly requests: readonly ReplayRequest[]; readonly anew?: boolean }; readonly answer: ReplayStats };
}

interface LoadCall extends PolicyChoices {
  readonly folder: string;
  readonly hashCache?: string;
  /** Of whoever asks: see {@link thisSession}. */
  readonly session: string;
  /** Of caches that stay between calls, bytes. */
  readonly warmBytes?: number;
}

export interface LoadAnswer {
  readonly info: PolicyInfo;
  /** What the policy was loaded from, and how these files stood then: where they have changed, it is loaded anew. */
  readonly sources: readonly string[];
  readonly fingerprint: string;
}

export type Method = keyof Calls;

/** From the parent. */
export type ToPolicy = Call | { readonly kind: 'cancel'; readonly call: number };
export type Call = { readonly [M in Method]: { readonly kind: 'call'; readonly call: number; readonly method: M; readonly ask: Calls[M]['ask'] } }[Method];

/** From the policy's process. `taken`: a call has arrived. `alive` says how long the last step took, or how long the next may take: milliseconds. */
export type FromPolicy =
  | { readonly kind: 'taken'; readonly call: number }
  | { readonly kind: 'alive'; readonly milliseconds: number }
  | { readonly kind: 'state'; readonly state: 'hashing' | 'loading' }
  | { readonly kind: 'result'; readonly call: number; readonly index: number; readonly result: ReplayResult }
  | { readonly kind: 'tokens'; readonly call: number; readonly done: number; readonly total: number }
  | { readonly kind: 'answer'; readonly call: number; readonly answer: Calls[Method]['answer'] }
  | { readonly kind: 'failure'; readonly call: number; readonly code: PolicyErrorCode; readonly message: string };
