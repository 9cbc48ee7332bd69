import type { PolicyContract } from '../replay/contract';
import type { ReplayRequest, ReplayResult, UndefinedResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import type { CreditSettings } from './settings';

/** One request of a method, and the turn that is done when it is answered (0: none of its own). */
export interface Asked {
  readonly turn: number;
  readonly request: ReplayRequest;
}

/** What is known already, by a request's name. */
export type Known = (name: string) => ReplayResult | undefined;

/** A way to give credit to turns: what it needs the policy to do, and pure arithmetic on the answers. One file each. */
export interface CreditMethod<Credit> {
  /**
   * By names of the method's own, which {@link assign} finds the results under, each made when it is taken. What is known by then spares those whose
   * result is sure without asking: what is longer than a context that is too long.
   */
  asks(t: Trajectory, settings: CreditSettings, contract: PolicyContract, known: Known): Iterable<readonly [name: string, asked: Asked]>;
  /** How many requests there are. */
  count(t: Trajectory, settings: CreditSettings): number;
  /** A result that is not there leaves its figures `not scored`. */
  assign(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings, contract: PolicyContract): Credit;
}

/** Why there is no result, as the phrase that completes "undefined: …": the same for all contexts that are too long, whatever their lengths. */
export function asReason({ limit, reason }: UndefinedResult): string {
  return limit === undefined ? reason.replace(/\.$/, '') : `too long for the policy's ${limit.toLocaleString('en')} tokens of context`;
}

/** Nothing is known. */
export const nothing: Known = () => undefined;

export const isTooLong = (result: ReplayResult | undefined): result is UndefinedResult => result?.kind === 'undefined' && result.code === 'too-long';
