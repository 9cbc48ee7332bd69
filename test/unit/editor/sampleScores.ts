import { undefinedBecause, value } from '../../../src/credit/score';
import type { StateScore, TrajectoryScores, TurnScore } from '../../../src/scoring/model';
import type { Anchors } from '../../../src/trajectory/anchors';

const state = (index: number, answer: string, answerability: number): StateScore => ({
  index,
  answer,
  answerability: value(answerability),
  exactMatch: value(answerability === 1 ? 1 : 0),
  margin: value(2),
});

const turn = (index: number, reward: number, gain: number, spike?: TurnScore['spike']): TurnScore => ({
  index,
  processReward: value(reward),
  gain: value(gain),
  withoutLogprob: value(-1 - gain),
  scaledGain: value(0.5),
  advantage: value(Math.sign(gain)),
  gatedAdvantage: value(Math.sign(gain)),
  gate: 'kept',
  turnAdvantage: undefinedBecause('a group of one', 0.5),
  ...(spike && { spike }),
});

/** Three turns: quiet, up, down. */
export const scores: TrajectoryScores = {
  states: [state(0, 'unknown', 0), state(1, 'unknown', 0), state(2, 'Jasper Weber', 1), state(3, 'Ines Ferrara', 0)],
  turns: [turn(1, 0, 0.01), turn(2, 0.5, 7.12, 'up'), turn(3, -0.5, -3.42, 'down')],
  outcome: value(0),
  outcomeAdvantage: undefinedBecause('a group of one', 0),
  fullLogprob: value(-1),
  scale: value(1),
  mean: value(0),
  deviation: value(1),
  checks: { rewardSum: value(0), telescoped: value(0) },
  gold: 'Jasper Weber',
  golds: ['Jasper Weber'],
  group: { scope: 'trajectory', id: null, rollouts: 1, turns: 3 },
  findings: [],
  provenance: {
    policy: 'sha256:00',
    policyName: 'demo',
    contract: 'sha256:11',
    device: 'cpu',
    dtype: 'float32',
    activations: 'fp32',
    metric: 'f1',
    alpha: 0.5,
    lambda: 0.5,
    epsilon: 1e-6,
    gold: 'first',
    replace: 'turn',
    turnlens: '0.1.0',
    runtime: 'onnxruntime 1.30.0',
    scoredAt: '2026-01-01T00:00:00.000Z',
  },
};

const at = (start: number) => ({ start, end: start + 8 });

/** Turn i from 100 i on, its query ten characters further. */
export const anchors: Anchors = {
  trajectory: at(2),
  turns: [1, 2, 3].map((n) => ({ turn: n, whole: { start: 100 * n, end: 100 * n + 90 }, query: at(100 * n + 10) })),
};

