import { lotapo } from '../credit/lotapo';
import { nothing, type Asked, type Known } from '../credit/method';
import { oases } from '../credit/oases';
import type { CreditSettings } from '../credit/settings';
import type { PolicyContract } from '../replay/contract';
import type { Trajectory } from '../trajectory/model';
import { keyOf } from './requestKey';
import type { PolicyIdentity } from './scorer';
import { Digests } from './textDigest';

/** All that one trajectory asks of a policy, by the requests' names, with their keys. */
export interface Plan {
  readonly asked: ReadonlyMap<string, Asked>;
  readonly keys: ReadonlyMap<string, string>;
}

const methods = { oases, lotapo };

/** The requests of all methods asked for, each made when it is taken. */
export function* asksOf(t: Trajectory, settings: CreditSettings, contract: PolicyContract, known: Known): Generator<readonly [string, Asked]> {
  for (const id of settings.methods) yield* methods[id].asks(t, settings, contract, known);
}

/** How many there are. */
export const countOf = (t: Trajectory, settings: CreditSettings): number => settings.methods.reduce((sum, id) => sum + methods[id].count(t, settings), 0);

export function planOf(t: Trajectory, settings: CreditSettings, identity: PolicyIdentity): Plan {
  const asked = new Map(asksOf(t, settings, identity.contract, nothing));
  return { asked, keys: keysOfAsked(asked, identity) };
}

export function keysOfAsked(asked: Plan['asked'], identity: PolicyIdentity): Plan['keys'] {
  const digests = new Digests();
  return new Map([...asked].map(([name, { request }]) => [name, keyOf(request, identity, digests)]));
}

/** The last keys of a trajectory: they cost a pass over all of its contexts, and showing what is cached asks for them again and again. */
const lastKeys = new WeakMap<Trajectory, { readonly of: string; readonly keys: Plan['keys'] }>();

/** {@link Plan.keys} alone. */
export function keysOf(t: Trajectory, settings: CreditSettings, identity: PolicyIdentity): Plan['keys'] {
  const of = JSON.stringify([settings, identity]);
  const last = lastKeys.get(t);
  if (last?.of === of) return last.keys;
  const { keys } = planOf(t, settings, identity);
  lastKeys.set(t, { of, keys });
  return keys;
}
