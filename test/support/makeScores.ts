import { undefinedBecause, value } from '../../src/credit/score';
import { defaultSettings } from '../../src/credit/settings';
import type { Provenance, TrajectoryScores } from '../../src/scoring/model';

const { metric, alpha, lambda, epsilon, gold, replace } = defaultSettings;

export const provenance: Provenance = {
  policy: `sha256:${'a'.repeat(64)}`,
  policyName: 'demo',
  contract: `sha256:${'b'.repeat(64)}`,
  device: 'cpu',
  dtype: 'float32',
  activations: 'fp32',
  metric,
  alpha,
  lambda,
  epsilon,
  gold,
  replace,
  turnlens: '0.1.0',
  runtime: 'onnxruntime 1.30.0',
  scoredAt: '2026-01-01T00:00:00.000Z',
};

/** Of a trajectory scored alone: what is not given has some value. */
export function makeScores(more: Pick<TrajectoryScores, 'states' | 'turns'> & Partial<TrajectoryScores>): TrajectoryScores {
  return {
    outcome: value(0),
    outcomeAdvantage: undefinedBecause('a group of one', 0),
    fullLogprob: value(-1),
    scale: value(1),
    mean: value(0),
    deviation: value(1),
    checks: { rewardSum: value(0), telescoped: value(0) },
    golds: [],
    group: { scope: 'trajectory', id: null, rollouts: 1, turns: more.turns.length },
    findings: [],
    provenance,
    ...more,
  };
}
