import { lotapo, type LotapoCredit } from '../credit/lotapo';
import { normaliseGroup, type NormalisedGroup, type NormalisedTurn } from '../credit/lotapoGroup';
import { oases, type OasesCredit } from '../credit/oases';
import { outcomeOf } from '../credit/outcome';
import { notScored, type Score } from '../credit/score';
import type { CreditSettings } from '../credit/settings';
import { whyUncredited } from '../credit/uncredited';
import { spikeOf } from '../credit/spike';
import type { PolicyContract } from '../replay/contract';
import type { ReplayResult } from '../replay/requests';
import type { Finding, Trajectory } from '../trajectory/model';
import { scoringFindings } from './findings';
import { fragileFindings, isFragile } from './fragile';
import type { GroupInfo, Provenance, StateScore, TrajectoryScores, TurnScore } from './model';

/** What the answers say of one trajectory, before any group. */
export interface Credits {
  readonly trajectory: Trajectory;
  readonly outcome: Score;
  readonly oases?: OasesCredit;
  readonly lotapo?: LotapoCredit;
  readonly findings: readonly Finding[];
  readonly provenance: Provenance;
}

export function creditsOf(t: Trajectory, results: ReadonlyMap<string, ReplayResult>, settings: CreditSettings, contract: PolicyContract): Omit<Credits, 'provenance'> {
  const asks = new Set(settings.methods);
  const outcome = outcomeOf(t, settings.metric);
  const states = asks.has('oases') ? oases.assign(t, results, settings, contract) : undefined;
  const gains = asks.has('lotapo') ? lotapo.assign(t, results, settings, contract) : undefined;
  const findings = scoringFindings(t, results, states, outcome, settings.metric);
  return { trajectory: t, outcome, findings, ...(states ? { oases: states } : {}), ...(gains ? { lotapo: gains } : {}) };
}

interface AssembleOptions {
  readonly settings: CreditSettings;
  readonly scope: 'trajectory' | 'question';
  readonly tokens?: boolean;
}

/** Scores of all trajectories, each normalised over itself or over those that share its group. */
export function assemble(credits: readonly Credits[], options: AssembleOptions): TrajectoryScores[] {
  const groups = new Map<unknown, Credits[]>();
  for (const credit of credits) {
    const id = options.scope === 'question' ? (credit.trajectory.group ?? credit) : credit;
    const group = groups.get(id);
    if (group) group.push(credit);
    else groups.set(id, [credit]);
  }
  const scores = new Map<Credits, TrajectoryScores>();
  for (const group of groups.values()) {
    const normalised = normaliseGroup(group.map(memberOf), options.settings);
    group.forEach((credit, m) => scores.set(credit, trajectoryScores(credit, normalised, m, group.length, options)));
  }
  return credits.flatMap((credit) => scores.get(credit) ?? []);
}

function memberOf({ trajectory, outcome, lotapo }: Credits): Parameters<typeof normaliseGroup>[0][number] {
  const turns = trajectory.turns.map((turn, i) => ({ gain: lotapo?.turns[i]?.gain ?? notScored, eligible: turn.ineligible === undefined }));
  return { outcome: lotapo ? outcome : notScored, turns };
}

function trajectoryScores(credit: Credits, group: NormalisedGroup, m: number, rollouts: number, options: AssembleOptions): TrajectoryScores {
  const { trajectory, lotapo, oases } = credit;
  const member = group.members[m];
  const id = options.scope === 'question' ? (trajectory.group ?? null) : null;
  const info: GroupInfo = { scope: options.scope, id, rollouts, turns: group.eligible, ...(group.gains === group.eligible ? {} : { gains: group.gains }) };
  const golds = lotapo?.golds ?? [];
  const [gold] = golds;
  const none = lotapo ? undefined : notScored;
  const why = whyUncredited(trajectory);
  return {
    states: (oases?.states ?? []).map((state, index): StateScore => {
      const { answer, text, answerability, exactMatch, margin } = state;
      const fragile = isFragile(margin, credit.provenance) ? ({ fragile: true } as const) : {};
      return { index, ...(answer === undefined ? {} : { answer }), ...(text === undefined ? {} : { text }), answerability, exactMatch, margin, ...fragile };
    }),
    turns: trajectory.turns.map((_, i) => turnScore(credit, i, member?.turns[i], options)),
    outcome: credit.outcome,
    outcomeAdvantage: member?.outcomeAdvantage ?? notScored,
    fullLogprob: lotapo?.full ?? notScored,
    scale: none ?? group.scale,
    mean: none ?? group.mean,
    deviation: none ?? group.deviation,
    checks: { rewardSum: oases?.rewardSum ?? notScored, telescoped: oases?.telescoped ?? notScored },
    ...(why === undefined ? {} : { uncredited: why }),
    ...(golds.length === 1 && gold !== undefined ? { gold } : {}),
    golds,
    group: info,
    ...(options.tokens && lotapo?.tokens ? { tokens: tokensOf(lotapo, lotapo.tokens) } : {}),
    findings: [...credit.findings, ...(oases ? fragileFindings(oases, credit.provenance) : [])],
    provenance: credit.provenance,
  };
}

function turnScore({ oases, lotapo }: Credits, i: number, turn: NormalisedTurn | undefined, { settings }: AssembleOptions): TurnScore {
  const gain = lotapo?.turns[i]?.gain ?? notScored;
  const { scaledGain, advantage, gatedAdvantage, gate, turnAdvantage } = turn ?? unscored;
  const states = oases?.states;
  const figures = { before: states?.[i]?.answerability ?? notScored, after: states?.[i + 1]?.answerability ?? notScored, gain, gatedAdvantage, gate };
  const spike = spikeOf(figures, settings.spike);
  const written = lotapo?.written[i];
  return {
    index: i + 1,
    processReward: oases?.rewards[i] ?? notScored,
    gain,
    withoutLogprob: lotapo?.turns[i]?.without ?? notScored,
    scaledGain,
    advantage,
    gatedAdvantage,
    gate,
    turnAdvantage,
    ...(spike ? { spike } : {}),
    ...(written && written.kind !== 'not scored' ? { written } : {}),
  };
}

const unscored: NormalisedTurn = { scaledGain: notScored, advantage: notScored, gatedAdvantage: notScored, gate: 'not scored', turnAdvantage: notScored };

function tokensOf(lotapo: LotapoCredit, full: NonNullable<LotapoCredit['tokens']>): NonNullable<TrajectoryScores['tokens']> {
  const without = lotapo.turns.flatMap(({ tokens }, i) => (tokens ? [[i + 1, tokens] as const] : []));
  return { full, without: Object.fromEntries(without) };
}
