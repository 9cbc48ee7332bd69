import type { Score } from '../credit/score';
import type { Finding, Trajectory } from '../trajectory/model';
import type { StateScore, TrajectoryScores, TurnScore } from './model';
import type { ReplayPlan } from './replayPlan';

/** The version of the lines that docs/json.md describes. A key is added without a new version, never renamed or given another meaning. */
export const jsonVersion = 1;

/** A number, or why there is none, with what the official arithmetic returns there. */
export type JsonScore = number | { undefined: string; value?: number };

/** `undefined` (the key is then absent): not asked for. */
function jsonScore(score: Score): JsonScore | undefined {
  switch (score.kind) {
    case 'value':
      return score.value;
    case 'undefined':
      return score.value === undefined ? { undefined: score.reason } : { undefined: score.reason, value: score.value };
    case 'not scored':
      return undefined;
  }
}

/** Which rollout a line is of. */
export interface Place {
  readonly file: string;
  readonly record: number;
  /** Of a line beside the record's main one. */
  readonly line?: string;
}

export const problemLine = (file: string, record: number | null, problem: string): object => ({ version: jsonVersion, file, record, problem });

/** What scoring rollouts would ask of the policy. */
export const planLine = (file: string, records: readonly number[], question: string, plan: ReplayPlan): object => ({
  version: jsonVersion,
  file,
  record: records[0],
  records,
  question,
  plan,
});

/** One rollout with its scores, in the order of docs/json.md. Keys whose value is `undefined` are left out by JSON.stringify. */
export function scoreLine({ file, record, line }: Place, t: Trajectory, scores: TrajectoryScores, plan?: ReplayPlan): object {
  return { version: jsonVersion, file, record, line, ...scoresJson(t, scores, plan) };
}

/** What the line says of the rollout, wherever it stands. */
export function scoresJson(t: Trajectory, scores: TrajectoryScores, plan?: ReplayPlan): object {
  const { provenance: p, checks } = scores;
  const rewardSum = jsonScore(checks.rewardSum);
  return {
    question: t.question,
    answers: t.answers,
    gold: scores.gold ?? null,
    golds: scores.golds.length > 1 ? scores.golds : undefined,
    outcome: jsonScore(scores.outcome),
    states: scores.states.length === 0 ? undefined : scores.states.map(state),
    turns: scores.turns.map((turn, i) => ({ index: turn.index, queries: t.turns[i]?.queries ?? [], ...credit(turn) })),
    fullLogprob: jsonScore(scores.fullLogprob),
    scale: jsonScore(scores.scale),
    outcomeAdvantage: jsonScore(scores.outcomeAdvantage),
    checks: rewardSum === undefined ? undefined : { rewardSum, telescoped: jsonScore(checks.telescoped) },
    group: { scope: scores.group.scope, id: scores.group.id, rollouts: scores.group.rollouts, turns: scores.group.turns },
    plan,
    tokens: goldTokens(scores),
    findings: [...t.findings, ...scores.findings].map(jsonFinding),
    provenance: {
      policy: p.policy,
      contract: p.contract,
      device: p.device,
      dtype: p.dtype,
      activations: p.activations,
      metric: p.metric,
      alpha: p.alpha,
      lambda: p.lambda,
      epsilon: p.epsilon,
      replace: p.replace,
      gold: p.gold === 'first' ? undefined : p.gold,
      keepLast: p.keepLast,
      turnlens: p.turnlens,
      runtime: p.runtime,
    },
  };
}

const state = (s: StateScore): object => ({
  index: s.index,
  answer: s.answer,
  answerability: jsonScore(s.answerability),
  exactMatch: jsonScore(s.exactMatch),
  margin: jsonScore(s.margin),
  fragile: s.fragile,
});

const credit = (turn: TurnScore): object => ({
  processReward: jsonScore(turn.processReward),
  gain: jsonScore(turn.gain),
  withoutLogprob: jsonScore(turn.withoutLogprob),
  scaledGain: jsonScore(turn.scaledGain),
  advantage: jsonScore(turn.advantage),
  gatedAdvantage: jsonScore(turn.gatedAdvantage),
  gate: turn.gate === 'not scored' ? undefined : turn.gate,
  turnAdvantage: jsonScore(turn.turnAdvantage),
  spike: turn.spike,
  policyLogprob: turn.written && ownWords(turn.written),
});

function ownWords(written: NonNullable<TurnScore['written']>): object {
  if (written.kind === 'undefined') return { undefined: written.reason };
  const { mean, min, entropy, firstChoices, tokens, recorded } = written;
  const beside = recorded?.kind === 'value' ? { recorded: recorded.mean, ratio: recorded.ratio } : recorded && { ratio: jsonScore(recorded) };
  return { mean, min, entropy, firstChoices, tokens, ...beside };
}

export const jsonFinding = (f: Finding): object => ({ code: f.code, turn: f.turn, message: f.message });

/** The gold's tokens under the whole context, each with its log-probability without turn 1 … T (`null`: that turn has no gain). */
function goldTokens(scores: TrajectoryScores): object[] | undefined {
  const { tokens, turns } = scores;
  return tokens?.full.map(({ id, text, logprob }, k) => ({
    id,
    text,
    logprob,
    without: turns.map((turn) => tokens.without[turn.index]?.[k]?.logprob ?? null),
  }));
}
