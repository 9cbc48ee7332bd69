import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import type { TrajectoryScores, TurnScore } from '../../../src/scoring/model';
import type { Trajectory, Turn } from '../../../src/trajectory/model';
import { makeScores, provenance } from '../../support/makeScores';

const span = { start: 0, end: 0 };

const turn = (index: number, queries: readonly string[]): Turn => ({ index, policy: span, querySpans: [], queries });

export const trajectory: Trajectory = {
  question: 'Who wrote it?',
  answers: ['Ann Lee', 'Lee'],
  prompt: { kind: 'contract' },
  dialect: 'search-r1',
  text: '',
  turns: [turn(1, ['it']), turn(2, [])],
  final: { policy: span, answerSpan: span, answer: 'Ann Lee' },
  ending: 'complete',
  findings: [{ code: 'self-written-observation', severity: 'warning', message: 'The policy wrote it.', turn: 2 }],
};

const alone = undefinedBecause('a group of one', 0.49);

const credits: readonly TurnScore[] = [
  {
    index: 1,
    processReward: value(0.25),
    gain: value(1.31),
    withoutLogprob: value(-1.43),
    scaledGain: value(0.9),
    advantage: value(1),
    gatedAdvantage: value(1),
    gate: 'kept',
    turnAdvantage: alone,
    spike: 'up',
  },
  {
    index: 2,
    processReward: value(0),
    gain: undefinedBecause('no search'),
    withoutLogprob: undefinedBecause('no search'),
    scaledGain: undefinedBecause('no search'),
    advantage: undefinedBecause('no search'),
    gatedAdvantage: undefinedBecause('no search'),
    gate: 'undefined',
    turnAdvantage: alone,
  },
];

const figures = {
  states: [0, 0.5, 0.5].map((gamma, index) => ({ index, answer: `a${index}`, answerability: value(gamma), exactMatch: value(0), margin: value(3.2) })),
  turns: credits,
  outcome: value(1),
  fullLogprob: value(-0.12),
  scale: value(1.310001),
  mean: value(0.9),
  deviation: value(0),
  checks: { rewardSum: value(0.25), telescoped: value(0.25) },
  group: { scope: 'trajectory', id: null, rollouts: 1, turns: 1 },
} satisfies Partial<TrajectoryScores>;

export const scores: TrajectoryScores = makeScores({ ...figures, gold: 'Ann Lee', golds: ['Ann Lee'] });

/** With `--gold mean`. */
export const severalGolds: TrajectoryScores = makeScores({ ...figures, golds: ['Ann Lee', 'Lee'], provenance: { ...provenance, gold: 'mean' } });

export const tokens: NonNullable<TrajectoryScores['tokens']> = {
  full: [{ id: 7, text: 'Ann', logprob: -0.12 }],
  without: { 1: [{ id: 7, text: 'Ann', logprob: -1.43 }] },
};

/** The same where only OASES was asked for. */
export const oasesAlone: TrajectoryScores = {
  ...scores,
  outcomeAdvantage: notScored,
  fullLogprob: notScored,
  scale: notScored,
  turns: credits.map((credit) => ({
    index: credit.index,
    processReward: credit.processReward,
    gain: notScored,
    withoutLogprob: notScored,
    scaledGain: notScored,
    advantage: notScored,
    gatedAdvantage: notScored,
    gate: 'not scored',
    turnAdvantage: notScored,
  })),
};
