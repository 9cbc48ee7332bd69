import { notScored, type Score, type Undefined, undefinedBecause, value } from './score';

/** LOTAPO's arithmetic over a group, as the official `algorithm.py` has it (in float64): scale, squash, standardise, gate, add. */

export interface Member {
  /** R(ŷ, y). */
  readonly outcome: Score;
  /** Turns 1 … T; those whose gain is a value are in the statistics. */
  readonly turns: readonly { readonly gain: Score; readonly eligible: boolean }[];
}

export type Gate = 'kept' | 'zeroed' | 'undefined';

export interface NormalisedTurn {
  /** b = tanh(Δ/s). */
  readonly scaledGain: Score;
  /** Â = (b − μ)/(σ + ε). */
  readonly advantage: Score;
  /** Ã: Â where Δ·Â > 0, else 0. */
  readonly gatedAdvantage: Score;
  readonly gate: Gate | 'not scored';
  /** A = A_out + λÃ. */
  readonly turnAdvantage: Score;
}

export interface NormalisedGroup {
  readonly eligible: number;
  /** Eligible turns with a gain: what the statistics stand on. */
  readonly gains: number;
  /** s, μ and σ. */
  readonly scale: Score;
  readonly mean: Score;
  readonly deviation: Score;
  readonly members: readonly { readonly outcomeAdvantage: Score; readonly turns: readonly NormalisedTurn[] }[];
}

interface GroupSettings {
  readonly lambda: number;
  readonly epsilon: number;
}

const values = (scores: readonly Score[]): number[] => scores.flatMap((score) => (score.kind === 'value' ? [score.value] : []));

/** The mean of the middle two for an even number. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((a, b) => a + b, 0) / middle.length;
}

/** Population mean and deviation; from the first number on, so that equal numbers have a deviation of exactly 0. */
function moments(numbers: readonly number[]): { mean: number; deviation: number } {
  const origin = numbers[0] ?? 0;
  const mean = origin + numbers.reduce((sum, x) => sum + (x - origin), 0) / numbers.length;
  return { mean, deviation: Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length) };
}

/** s = median of the |Δ| above ε, + ε. */
function scaleOf(gains: readonly number[], epsilon: number): number {
  const sizes = gains.map(Math.abs).filter((size) => size > epsilon);
  return sizes.length === 0 ? epsilon : median(sizes) + epsilon;
}

function outcomeAdvantages(outcomes: readonly Score[], epsilon: number): Score[] {
  const known = values(outcomes);
  const { mean, deviation } = moments(known);
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'value') return outcome.kind === 'undefined' ? undefinedBecause(outcome.reason) : notScored;
    if (outcomes.length === 1) return undefinedBecause('a group of one', 0);
    if (known.length === 1) return undefinedBecause('no other outcome in the group', 0);
    if (deviation === 0) return undefinedBecause('all outcomes of the group are equal', 0);
    return value((outcome.value - mean) / (deviation + epsilon));
  });
}

/** What the official code holds there: a value, or what is stated beside an undefined one. */
const official = (score: Score): number | undefined => (score.kind === 'not scored' ? undefined : score.value);

function turnAdvantage(outcome: Score, gated: Score, lambda: number): Score {
  if (outcome.kind === 'not scored' || gated.kind === 'not scored') return notScored;
  const [a, g] = [official(outcome), official(gated)];
  const total = a === undefined || g === undefined ? undefined : a + lambda * g;
  // Of two reasons the one that leaves even the official code without a figure.
  const unknown = [outcome, gated].filter((part) => part.kind === 'undefined').toSorted((x, y) => Number(x.value !== undefined) - Number(y.value !== undefined));
  if (unknown[0]) return undefinedBecause(unknown[0].reason, total);
  return total === undefined ? notScored : value(total);
}

type BeforeOutcome = Omit<NormalisedTurn, 'turnAdvantage'>;

const unknownTurn = (score: Score): BeforeOutcome => ({
  scaledGain: score,
  advantage: score,
  gatedAdvantage: score,
  gate: score.kind === 'not scored' ? 'not scored' : 'undefined',
});

/** The official code holds zeros for a turn that is not eligible, and a gain of 0 for one that is not finite. */
function undefinedTurn(gain: Undefined, eligible: boolean): BeforeOutcome {
  const unknown = unknownTurn(undefinedBecause(gain.reason, eligible ? undefined : 0));
  const zero = undefinedBecause(gain.reason, eligible ? gain.value : 0);
  return { ...unknown, scaledGain: zero, gatedAdvantage: zero };
}

/**
 * Normalises the gains and outcomes of a group: the rollouts of one question, or one trajectory alone.
 * A turn without a gain stays out of the statistics; a turn that is not eligible gets A_out as in the official code, stated as undefined.
 */
export function normaliseGroup(members: readonly Member[], { lambda, epsilon }: GroupSettings): NormalisedGroup {
  const all = members.flatMap((member) => member.turns.map((turn) => turn.gain));
  const gains = values(all);
  const s = scaleOf(gains, epsilon);
  const { mean, deviation } = moments(gains.map((gain) => Math.tanh(gain / s)));
  const eligible = members.flatMap((member) => member.turns).filter((turn) => turn.eligible).length;
  const alone = eligible === 1 ? undefinedBecause('one eligible turn', 0) : undefinedBecause('only one turn has a gain');

  const normalise = (gain: Score, isEligible: boolean): BeforeOutcome => {
    if (gain.kind === 'not scored') return unknownTurn(notScored);
    if (gain.kind === 'undefined') return undefinedTurn(gain, isEligible);
    const b = Math.tanh(gain.value / s);
    const scaledGain = value(b);
    if (gains.length === 1) return { ...unknownTurn(alone), scaledGain };
    const advantage = (b - mean) / (deviation + epsilon);
    const kept = gain.value * advantage > 0;
    return { scaledGain, advantage: value(advantage), gatedAdvantage: value(kept ? advantage : 0), gate: kept ? 'kept' : 'zeroed' };
  };

  const outcomes = outcomeAdvantages(members.map((member) => member.outcome), epsilon);
  const unasked = all.some((gain) => gain.kind === 'not scored');
  const statistic = (x: number, official?: number): Score => {
    if (gains.length > 0) return value(x);
    return unasked ? notScored : undefinedBecause('no turn has a gain', official);
  };
  return {
    eligible,
    gains: gains.length,
    scale: statistic(s, epsilon),
    mean: statistic(mean),
    deviation: statistic(deviation),
    members: members.map((member, m) => {
      const outcomeAdvantage = outcomes[m] ?? notScored;
      const turns = member.turns.map(({ gain, eligible }): NormalisedTurn => {
        const turn = normalise(gain, eligible);
        return { ...turn, turnAdvantage: turnAdvantage(outcomeAdvantage, turn.gatedAdvantage, lambda) };
      });
      return { outcomeAdvantage, turns };
    }),
  };
}
