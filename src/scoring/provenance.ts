import type { CreditSettings } from '../credit/settings';
import { contractHash } from '../policy/contract';
import type { Provenance } from './model';
import type { PolicyIdentity } from './scorer';
import type { Stored } from './store';

/** @param used the results that figures were computed from; the latest of them says when and by which runtime */
export function provenanceOf(identity: PolicyIdentity, settings: CreditSettings, used: readonly Stored[], version: string): Provenance {
  const latest = used.reduce<Stored | undefined>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined);
  const { metric, alpha, lambda, epsilon, gold, replace, keepLast } = settings;
  return {
    policy: identity.hash,
    policyName: identity.name ?? '',
    contract: contractHash(identity.contract),
    device: identity.device,
    dtype: identity.dtype,
    activations: identity.activations,
    metric,
    alpha,
    lambda,
    epsilon,
    gold,
    replace,
    ...(keepLast === undefined ? {} : { keepLast }),
    turnlens: version,
    runtime: latest?.runtime ?? '',
    scoredAt: latest?.at ?? new Date().toISOString(),
  };
}
