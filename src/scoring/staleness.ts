import type { CreditSettings } from '../credit/settings';
import { stateId } from '../credit/oases';
import type { Trajectory } from '../trajectory/model';
import type { TrajectoryScores } from './model';
import { planOf } from './plan';
import type { PolicyIdentity } from './scorer';

/** Which figures no longer come from what stands there: a figure is stale when the key of a request behind it is another one now. */
export interface Staleness {
  /** Anything at all. */
  readonly any: boolean;
  /** γ_0 … γ_T. */
  readonly states: readonly boolean[];
  /** r_1 … r_T. */
  readonly rewards: readonly boolean[];
  /** Δ_1 … Δ_T. */
  readonly gains: readonly boolean[];
  /** S(C). */
  readonly full: boolean;
  /** Scale, advantages and what is added to them: stale with any gain of the trajectory. */
  readonly group: boolean;
}

/** Compares scores with the trajectory as it stands, without the policy. Arithmetic settings and golds of γ stale nothing: they are computed anew. */
export function staleness(scores: TrajectoryScores, t: Trajectory, settings: CreditSettings, identity: PolicyIdentity): Staleness {
  const now = planOf(t, settings, identity).keys;
  const changed = new Set<string>();
  for (const name of new Set([...now.keys(), ...Object.keys(scores.keys)])) if (now.get(name) !== scores.keys[name]) changed.add(name);
  const any = (prefix: string): boolean => [...changed].some((name) => name.startsWith(prefix));

  const states = [undefined, ...t.turns].map((_, state) => changed.has(stateId(state)));
  const full = any('full/');
  const gains = t.turns.map((turn) => full || any(`without/${turn.index}/`));
  return {
    any: changed.size > 0,
    states,
    rewards: t.turns.map((_, i) => states[i] === true || states[i + 1] === true),
    gains,
    full,
    group: full || any('without/'),
  };
}
