import type { Score } from '../credit/score';
import type { MetricId } from '../credit/settings';
import type { GroupInfo, Provenance, Spike, TrajectoryScores, TurnScore } from './model';

/** Numbers and words for people, the same on every surface. JSON has numbers of its own. */

const minus = '\u2212';

/** A sign that rounding has emptied is not shown: 0.00, never −0.00. */
export function formatNumber(x: number, digits: number, signed = false): string {
  const size = Math.abs(x).toFixed(digits);
  if (Number(size) === 0) return size;
  return (x < 0 ? minus : signed ? '+' : '') + size;
}

/** `1 turn`, `2 turns` */
export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Short: the number, `undefined` or `not scored`. */
export function formatScore(score: Score, digits: number, signed = false): string {
  return score.kind === 'value' ? formatNumber(score.value, digits, signed) : score.kind;
}

/** Long: with the reason, and what the official arithmetic returns there. */
export function describeScore(score: Score, digits: number, signed = false): string {
  if (score.kind !== 'undefined') return formatScore(score, digits, signed);
  const official = score.value === undefined ? '' : ` (the official arithmetic gives ${formatNumber(score.value, digits, signed)})`;
  return `undefined: ${score.reason}${official}`;
}

/** Every credit has a shape as well as a colour. */
export const shapes: Readonly<Record<Spike | 'quiet', string>> = { up: '▲', down: '▼', mixed: '◆', quiet: '○' };

export const metricNames: Readonly<Record<MetricId, string>> = {
  f1: 'token F1',
  em: 'exact match',
  'cover-em': 'cover exact match',
  'f1-lotapo': 'token F1 as LOTAPO computes it',
  'f1-set': 'F1 over sets of words',
};

const digits = 2;
const present = (parts: readonly (string | false | undefined)[], separator: string): string => parts.filter((part) => part).join(separator);

/** The trainer's left truncation changes every figure of a likelihood, so it is said beside each. */
const truncation = ({ keepLast }: Provenance): string | undefined => (keepLast === undefined ? undefined : `contexts cut to their last ${keepLast} tokens`);

function named(name: string, score: Score, signed: boolean): string | undefined {
  return score.kind === 'not scored' ? undefined : `${name} ${formatScore(score, digits, signed)}`;
}

const turnOf = (scores: TrajectoryScores, turn: number): TurnScore | undefined => scores.turns[turn - 1];

/** What the policy thought of a turn that nothing can be scored against. */
const uncreditedTurn = ({ provenance }: TrajectoryScores, turn: TurnScore): string => `${shapes.quiet} ${present([wordsOfTurn(turn), truncation(provenance)], ' · ')}`;

/** `▲ +0.21 reward · γ 0.25→0.67 · Δ +1.31 · Ã +0.88` @param turn counted from 1 */
export function spikeTitle(scores: TrajectoryScores, turn: number): string {
  const figures = turnOf(scores, turn);
  if (!figures) return '';
  if (scores.uncredited !== undefined) return uncreditedTurn(scores, figures);
  const before = scores.states[turn - 1]?.answerability;
  const after = scores.states[turn]?.answerability;
  const reward = figures.processReward;
  const parts = [
    reward.kind !== 'not scored' && `${formatScore(reward, digits, true)} reward`,
    before && after && before.kind !== 'not scored' && after.kind !== 'not scored' && `γ ${formatScore(before, digits)}→${formatScore(after, digits)}`,
    named('Δ', figures.gain, true),
    named('Ã', figures.gatedAdvantage, true),
    truncation(scores.provenance),
  ];
  return `${shapes[figures.spike ?? 'quiet']} ${present(parts, ' · ')}`;
}

/** γ_t, r_t, Δ_i and Ã_i in one short line. @param turn counted from 1 */
export function inlineText(scores: TrajectoryScores, turn: number): string {
  const figures = turnOf(scores, turn);
  if (!figures) return '';
  if (scores.uncredited !== undefined) return uncreditedTurn(scores, figures);
  const { gain, gatedAdvantage } = figures;
  const why = (score: Score): string => (score.kind === 'undefined' ? ` (${score.reason})` : '');
  const gainText = named('Δ', gain, true);
  const gatedText = named('Ã', gatedAdvantage, true);
  const parts = [
    named('γ', scores.states[turn]?.answerability ?? { kind: 'not scored' }, false),
    named('r', figures.processReward, true),
    gainText && gainText + why(gain),
    gain.kind === 'value' && gatedText && gatedText + why(gatedAdvantage),
    truncation(scores.provenance),
  ];
  return `${shapes[figures.spike ?? 'quiet']} ${present(parts, ' · ')}`;
}

/** What the normalised figures stand over: `this trajectory alone (2 eligible turns)` */
export function scopeWords(group: GroupInfo): string {
  const known = group.gains === undefined ? '' : `, ${group.gains} with a gain`;
  const turns = `${count(group.turns, 'eligible turn')}${known}`;
  if (group.scope === 'trajectory') return `this trajectory alone (${turns})`;
  return group.rollouts === 1 ? `the question’s only rollout (${turns})` : `the question’s ${group.rollouts} rollouts (${turns})`;
}

/** One line on a trajectory: outcome, γ from first to last, sum of rewards, S(C), scope. */
export function trajectorySummary(scores: TrajectoryScores): string {
  if (scores.uncredited !== undefined) return present([wordsOfRollout(scores), truncation(scores.provenance)], ' · ');
  const first = scores.states[0]?.answerability;
  const last = scores.states.at(-1)?.answerability;
  const parts = [
    named('outcome', scores.outcome, false),
    first && last && first.kind !== 'not scored' && `γ ${formatScore(first, digits)}→${formatScore(last, digits)}`,
    named('Σr', scores.checks.rewardSum, true),
    named('S', scores.fullLogprob, false),
    scores.fullLogprob.kind !== 'not scored' && `Ã over ${scopeWords(scores.group)}`,
    truncation(scores.provenance),
  ];
  return present(parts, ' · ');
}

/** What the policy thought of the words of a turn, where that is all there is: `log π −1.20 · entropy 0.80 · 87 % first choices` */
function wordsOfTurn({ written }: Pick<TurnScore, 'written'>): string {
  if (written === undefined) return 'not scored';
  if (written.kind === 'undefined') return `log π undefined (${written.reason})`;
  const { mean, entropy, firstChoices } = written;
  return `log π ${formatNumber(mean, digits)} · entropy ${formatNumber(entropy, digits)} · ${formatNumber(100 * firstChoices, 0)} % first choices`;
}

/** The same of all turns: `no gold answer, so no credit · log π −1.20 a token over 12 of 14 turns` */
export function wordsOfRollout({ uncredited = '', turns }: Pick<TrajectoryScores, 'uncredited' | 'turns'>): string {
  const known = turns.flatMap(({ written }) => (written?.kind === 'value' ? [written] : []));
  const tokens = known.reduce((sum, { tokens: n }) => sum + n, 0);
  const why = `${uncredited}, so no credit`;
  if (tokens === 0) return why;
  const mean = known.reduce((sum, { mean: of, tokens: n }) => sum + of * n, 0) / tokens;
  const over = known.length === turns.length ? count(turns.length, 'turn') : `${String(known.length)} of ${count(turns.length, 'turn')}`;
  return `${why} · log π ${formatNumber(mean, digits)} a token over ${over}`;
}
