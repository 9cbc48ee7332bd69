import type { PolicyContract } from '../replay/contract';
import type { ReplayRequest, ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import type { CreditSettings } from './settings';

/** One request of a method, and the turn that is done when it is answered (0: none of its own). */
export interface Asked {
  readonly turn: number;
  readonly request: ReplayRequest;
}

/** A way to give credit to turns: what it needs the policy to do, and pure arithmetic on the answers. One file each. */
export interface CreditMethod<Credit> {
  /** By names of the method's own, which {@link assign} finds the results under. */
  requests(t: Trajectory, settings: CreditSettings, contract: PolicyContract): ReadonlyMap<string, Asked>;
  /** A result that is not there leaves its figures `not scored`. */
  assign(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings, contract: PolicyContract): Credit;
}

/** A sentence of the policy's process as the phrase that completes "undefined: …". */
export const asReason = (sentence: string): string => sentence.replace(/\.$/, '');
