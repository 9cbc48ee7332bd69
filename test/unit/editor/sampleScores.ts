import { undefinedBecause, value } from '../../../src/credit/score';
import type { StateScore, TrajectoryScores, TurnScore } from '../../../src/scoring/model';
import type { Anchors } from '../../../src/trajectory/anchors';
import { makeScores } from '../../support/makeScores';

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
export const scores: TrajectoryScores = makeScores({
  states: [state(0, 'unknown', 0), state(1, 'unknown', 0), state(2, 'Jasper Weber', 1), state(3, 'Ines Ferrara', 0)],
  turns: [turn(1, 0, 0.01), turn(2, 0.5, 7.12, 'up'), turn(3, -0.5, -3.42, 'down')],
  gold: 'Jasper Weber',
  golds: ['Jasper Weber'],
});

const at = (start: number) => ({ start, end: start + 8 });

/** Turn i from 100 i on, its query ten characters further. */
export const anchors: Anchors = {
  trajectory: at(2),
  turns: [1, 2, 3].map((n) => ({ turn: n, whole: { start: 100 * n, end: 100 * n + 90 }, query: at(100 * n + 10) })),
};

