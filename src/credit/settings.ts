/** Changing what is marked `arithmetic` never runs the policy again; the rest does, for the requests it changes. */
export interface CreditSettings {
  /** Arithmetic. Of answerability, outcome and outcome advantage. */
  readonly metric: MetricId;
  /** Arithmetic. OASES: r_t = α(γ_t − γ_{t−1}). */
  readonly alpha: number;
  /** Arithmetic. LOTAPO: A = A_out + λ Ã. */
  readonly lambda: number;
  /** Arithmetic. LOTAPO's ε. */
  readonly epsilon: number;
  /** Which gold the gains use: the first (official code), the likeliest under the full context (kept for every C₋ᵢ), or the mean over all. */
  readonly gold: (typeof golds)[number];
  /** What the placeholder replaces: the whole turn (official code), or query and result, reasoning kept (paper). */
  readonly replace: (typeof replacements)[number];
  /** Keep only the last so many context tokens of a likelihood, as the trainer's left truncation does. Absent: never cut. */
  readonly keepLast?: number;
  /** Which methods to ask the policy for. */
  readonly methods: readonly MethodId[];
  readonly spike: SpikeSettings;
}

export type MethodId = 'oases' | 'lotapo';
export const metricIds = ['f1', 'em', 'cover-em', 'f1-lotapo', 'f1-set'] as const;
export type MetricId = (typeof metricIds)[number];
export const golds = ['first', 'best', 'mean'] as const;
export const replacements = ['turn', 'evidence'] as const;

/** design: a spike is |γ_t − γ_{t−1}| ≥ answerability, or with the gate kept |Ã| ≥ advantage and |Δ| ≥ gain; tolerance 1e-6. */
export interface SpikeSettings {
  readonly answerability: number;
  readonly advantage: number;
  /** Nats a token. */
  readonly gain: number;
}

export const defaultSettings: CreditSettings = {
  metric: 'f1',
  alpha: 0.5,
  lambda: 0.5,
  epsilon: 1e-6,
  gold: 'first',
  replace: 'turn',
  methods: ['oases', 'lotapo'],
  spike: { answerability: 0.2, advantage: 0.9, gain: 0.1 },
};
