import { z } from '../policy/schema';
import { whyUncredited } from '../credit/uncredited';
import { notScored, undefinedBecause, value, type Score } from '../credit/score';
import type { MetricId } from '../credit/settings';
import { findingCodes, type SavedScores, type Trajectory } from '../trajectory/model';
import { metricNames } from './format';
import type { StateScore, TrajectoryScores, TurnScore, WrittenFigures } from './model';
import { jsonVersion, scoresJson } from './scoreJson';

/** Scores as a document keeps them: what a line of `turnlens score --json` says of the rollout, with the policy's name and when it was asked. */
export function savedScores(t: Trajectory, scores: TrajectoryScores): SavedScores {
  const { scoredAt } = scores.provenance;
  // The folder it lay in is nobody else's business.
  const policyName = scores.provenance.policyName.split(/[\\/]/).at(-1) ?? '';
  const said = JSON.parse(JSON.stringify(scoresJson(t, scores))) as SavedScores;
  return { version: jsonVersion, ...said, provenance: { ...(said['provenance'] as object), policyName, scoredAt } };
}

const score = z
  .union([z.number(), z.object({ undefined: z.string(), value: z.number().optional() })])
  .optional()
  .transform((said): Score => (said === undefined ? notScored : typeof said === 'number' ? value(said) : undefinedBecause(said.undefined, said.value)));

const state = z
  .object({ index: z.int(), answer: z.string().exactOptional(), answerability: score, exactMatch: score, margin: score, fragile: z.literal(true).exactOptional() })
  .transform((said): StateScore => said);

function besideRecorded(mean: number | undefined, ratio: Score): Pick<WrittenFigures, 'recorded'> {
  if (ratio.kind === 'undefined') return { recorded: ratio };
  return ratio.kind === 'value' && mean !== undefined ? { recorded: { kind: 'value', mean, ratio: ratio.value } } : {};
}

const written = z
  .union([
    z.object({ undefined: z.string() }).transform((said) => undefinedBecause(said.undefined)),
    z
      .object({ mean: z.number(), min: z.number(), entropy: z.number(), firstChoices: z.number(), tokens: z.number(), recorded: z.number().optional(), ratio: score })
      .transform(({ recorded, ratio, ...figures }): WrittenFigures => ({ kind: 'value', ...figures, ...besideRecorded(recorded, ratio) })),
  ])
  .optional();

const turn = z
  .object({
    index: z.int(),
    processReward: score,
    gain: score,
    withoutLogprob: score,
    scaledGain: score,
    advantage: score,
    gatedAdvantage: score,
    gate: z.enum(['kept', 'zeroed', 'undefined', 'not scored']).default('not scored'),
    turnAdvantage: score,
    spike: z.enum(['up', 'down', 'mixed']).exactOptional(),
    policyLogprob: written,
  })
  .transform(({ policyLogprob, ...said }): TurnScore => ({ ...said, ...(policyLogprob === undefined ? {} : { written: policyLogprob }) }));

const provenance = z.object({
  policy: z.string(),
  policyName: z.string(),
  contract: z.string(),
  device: z.string(),
  dtype: z.string(),
  activations: z.string(),
  metric: z.custom<MetricId>((id) => typeof id === 'string' && Object.hasOwn(metricNames, id)),
  alpha: z.number(),
  lambda: z.number(),
  epsilon: z.number(),
  gold: z.enum(['first', 'best', 'mean']).default('first'),
  replace: z.enum(['turn', 'evidence']),
  keepLast: z.number().exactOptional(),
  turnlens: z.string(),
  runtime: z.string(),
  scoredAt: z.string(),
});

const saved = z.object({
  gold: z.string().nullable(),
  golds: z.array(z.string()).optional(),
  outcome: score,
  states: z.array(state).default([]),
  turns: z.array(turn),
  fullLogprob: score,
  scale: score,
  outcomeAdvantage: score,
  checks: z.object({ rewardSum: score, telescoped: score }).default({ rewardSum: notScored, telescoped: notScored }),
  group: z.object({ scope: z.enum(['trajectory', 'question']), id: z.string().nullable(), rollouts: z.number(), turns: z.number() }),
  findings: z.array(z.object({ code: z.enum(findingCodes), turn: z.int().exactOptional(), message: z.string() })),
  provenance,
});

/** Scores that a document keeps, as far as it keeps them; `undefined`: they are not of this trajectory, or of no version that is known. */
export function readSavedScores(t: Trajectory): TrajectoryScores | undefined {
  const parsed = saved.safeParse(t.scored);
  if (t.scored?.['version'] !== jsonVersion || !parsed.success || parsed.data.turns.length !== t.turns.length) return undefined;
  const { gold, golds = gold === null ? [] : [gold], findings, ...said } = parsed.data;
  const why = whyUncredited(t);
  const own = findings.filter(({ code, message }) => !t.findings.some((known) => known.code === code && known.message === message));
  return {
    ...said,
    ...(why === undefined ? {} : { uncredited: why }),
    ...(gold === null ? {} : { gold }),
    golds,
    mean: notScored,
    deviation: notScored,
    findings: own.map((finding) => ({ ...finding, severity: 'information' })),
  };
}
