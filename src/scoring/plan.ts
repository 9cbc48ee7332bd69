import { lotapo } from '../credit/lotapo';
import type { Asked } from '../credit/method';
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

/** The requests of all methods asked for. */
export function requestsOf(t: Trajectory, settings: CreditSettings, contract: PolicyContract): ReadonlyMap<string, Asked> {
  const methods = { oases, lotapo };
  return new Map(settings.methods.flatMap((id) => [...methods[id].requests(t, settings, contract)]));
}

export function planOf(t: Trajectory, settings: CreditSettings, identity: PolicyIdentity): Plan {
  const asked = requestsOf(t, settings, identity.contract);
  const digests = new Digests();
  return { asked, keys: new Map([...asked].map(([name, { request }]) => [name, keyOf(request, identity, digests)])) };
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
