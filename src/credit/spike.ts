import type { Gate } from './lotapoGroup';
import type { Score } from './score';
import type { SpikeSettings } from './settings';

export type Spike = 'up' | 'down' | 'mixed';

/** Figures that are equal on paper differ in their last bits. */
const tolerance = 1e-6;

export interface TurnFigures {
  /** γ_{t−1} and γ_t. */
  readonly before: Score;
  readonly after: Score;
  readonly gain: Score;
  readonly gatedAdvantage: Score;
  readonly gate: Gate | 'not scored';
}

const sign = (x: number): number => (Math.abs(x) <= tolerance ? 0 : Math.sign(x));

/**
 * A turn whose credit stands out: its answerability changes by much, or its gated advantage and gain are both large.
 * Up or down by the sign of what made it one; mixed where reward and a gain that counts point apart. What is undefined makes no spike.
 */
export function spikeOf({ before, after, gain, gatedAdvantage, gate }: TurnFigures, settings: SpikeSettings): Spike | undefined {
  const change = before.kind === 'value' && after.kind === 'value' ? after.value - before.value : 0;
  const delta = gain.kind === 'value' ? gain.value : 0;
  const advantage = gate === 'kept' && gatedAdvantage.kind === 'value' ? gatedAdvantage.value : 0;
  const reaches = (x: number, threshold: number): boolean => Math.abs(x) >= threshold - tolerance;

  const byReward = sign(change) !== 0 && reaches(change, settings.answerability);
  const byGain = sign(advantage) !== 0 && reaches(advantage, settings.advantage) && reaches(delta, settings.gain);
  if (!byReward && !byGain) return undefined;
  if (sign(change) * sign(delta) < 0 && reaches(delta, settings.gain)) return 'mixed';
  return (byReward ? change : advantage) > 0 ? 'up' : 'down';
}
