import type { Gate } from '../credit/lotapoGroup';
import type { Score, Undefined } from '../credit/score';
import type { MetricId } from '../credit/settings';
import type { Spike } from '../credit/spike';
import type { WrittenFigures } from '../credit/written';
import type { Finding } from '../trajectory/model';
import type { ScoredToken } from '../replay/requests';

/** Everything that is known of one trajectory's credit, with where it came from. Plain data: it is shown, printed and written, never computed with again. */
export interface TrajectoryScores {
  /** T + 1 of them, s_0 … s_T; empty where OASES was not asked for. */
  readonly states: readonly StateScore[];
  /** T of them. */
  readonly turns: readonly TurnScore[];
  /** R(ŷ, y), recomputed from the final answer. */
  readonly outcome: Score;
  readonly outcomeAdvantage: Score;
  /** S(C), nats a token. */
  readonly fullLogprob: Score;
  /** s = median |Δ| over the group + ε. */
  readonly scale: Score;
  /** μ and σ of b over the group. */
  readonly mean: Score;
  readonly deviation: Score;
  /** Σ r_t and α(γ_T − γ_0): equal to rounding, or something is wrong. */
  readonly checks: { readonly rewardSum: Score; readonly telescoped: Score };
  /** Why no turn can be given credit, and only what the policy thought of each is told; absent: there is a gold answer to score against. */
  readonly uncredited?: string;
  /** The gold the gains used; absent: none, or several (see `golds`). */
  readonly gold?: string;
  /** All golds the gains used: with `mean` several. */
  readonly golds: readonly string[];
  readonly group: GroupInfo;
  /** Gold tokens, each with the whole context and without turn i (1-based keys). Only where asked for and the gains used one gold. */
  readonly tokens?: { readonly full: readonly ScoredToken[]; readonly without: Readonly<Record<number, readonly ScoredToken[]>> };
  /** Of scoring: encoding notes, answers that hang on nothing, recorded ≠ recomputed. The trajectory's own findings are with the trajectory. */
  readonly findings: readonly Finding[];
  readonly provenance: Provenance;
}

export interface StateScore {
  /** 0 … T. */
  readonly index: number;
  /** ỹ_t, extracted; absent: not scored, or undefined for the reason in `answerability`. */
  readonly answer?: string;
  /** What was generated, whole. */
  readonly text?: string;
  /** γ_t. */
  readonly answerability: Score;
  readonly exactMatch: Score;
  readonly margin: Score;
  /** The margin is within the noise of the device: γ could as well have come out otherwise. Absent: it is not, or is not known. */
  readonly fragile?: true;
}

export type { Gate, Spike, WrittenFigures };

export interface TurnScore {
  /** Counted from 1. */
  readonly index: number;
  /** r_t. */
  readonly processReward: Score;
  /** Δ_i, nats a token. */
  readonly gain: Score;
  /** S(C₋ᵢ). */
  readonly withoutLogprob: Score;
  /** b = tanh(Δ/s). */
  readonly scaledGain: Score;
  /** Â. */
  readonly advantage: Score;
  /** Ã. */
  readonly gatedAdvantage: Score;
  readonly gate: Gate | 'not scored';
  /** A = A_out + λ Ã. */
  readonly turnAdvantage: Score;
  readonly spike?: Spike;
  /** What the policy itself thought of the words of this turn. Absent: not scored. */
  readonly written?: WrittenFigures | Undefined;
}

export interface GroupInfo {
  readonly scope: 'trajectory' | 'question';
  readonly id: string | null;
  readonly rollouts: number;
  /** Eligible turns in it. */
  readonly turns: number;
  /** Those of them whose gain is known, which is what the statistics stand on. Absent: all. */
  readonly gains?: number;
}

/** Which policy, prompts, metric and settings a score came from. A score without it is not shown. */
export interface Provenance {
  readonly policy: string;
  readonly policyName: string;
  readonly contract: string;
  readonly device: string;
  readonly dtype: string;
  readonly activations: string;
  readonly metric: MetricId;
  readonly alpha: number;
  readonly lambda: number;
  readonly epsilon: number;
  readonly gold: 'first' | 'best' | 'mean';
  readonly replace: 'turn' | 'evidence';
  readonly keepLast?: number;
  readonly turnlens: string;
  readonly runtime: string;
  /** ISO 8601. */
  readonly scoredAt: string;
}
