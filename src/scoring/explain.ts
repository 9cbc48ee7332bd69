import { grade, sharedWords } from '../credit/metrics';
import type { Score } from '../credit/score';
import type { MetricId } from '../credit/settings';
import type { Trajectory } from '../trajectory/model';
import { describeScore, formatNumber, formatScore, metricNames, scopeWords } from './format';
import type { Provenance, StateScore, TrajectoryScores, TurnScore, WrittenFigures } from './model';

/** The whole arithmetic of a turn as plain text, line by line. What comes from the file or the policy is in it as it stands: whoever renders it escapes it. */
interface ExplainedLine {
  /** `γ_1`, `Δ_2`, `policy` */
  readonly label: string;
  readonly text: string;
}

export interface ExplainedPart {
  readonly title: string;
  readonly lines: readonly ExplainedLine[];
}

const subscripts = '₀₁₂₃₄₅₆₇₈₉';
const subscript = (n: number): string => [...String(n)].map((digit) => subscripts[Number(digit)] ?? '').join('');

/** Four digits after the point, and four that count where a figure is small: gains that nearly vanish still divide each other. */
function digitsOf(score: Score): number {
  const size = score.kind === 'value' ? Math.abs(score.value) : 0;
  return size === 0 || size >= 0.1 ? 4 : Math.min(8, 3 - Math.floor(Math.log10(size)));
}

const number = (score: Score, signed = false): string => formatScore(score, digitsOf(score), signed);
const described = (score: Score, signed = false): string => describeScore(score, digitsOf(score), signed);
const bracketed = (score: Score): string => (score.kind === 'value' && score.value < 0 ? `(${number(score)})` : number(score));

/** @param turn counted from 1 */
export function explainTurn(scores: TrajectoryScores, t: Trajectory, turn: number): readonly ExplainedPart[] {
  const figures = scores.turns[turn - 1];
  if (!figures) return [];
  const { uncredited } = scores;
  const credit = uncredited === undefined ? [explainReward(scores, t, figures), explainGain(scores, figures), explainAdvantage(scores, figures)] : [explainUncredited(scores, uncredited, figures)];
  const parts = [...credit, explainWritten(figures), explainProvenance(scores)];
  return parts.filter((part) => part.lines.length > 0);
}

function answerLine(state: StateScore, t: Trajectory, metric: MetricId): ExplainedLine {
  const label = `ỹ${subscript(state.index)}`;
  if (state.answer === undefined) return { label, text: described(state.answerability) };
  const margin = state.margin.kind === 'value' ? `, margin ${number(state.margin)} logits${state.fragile ? ' (fragile: within the noise of the device)' : ''}` : '';
  const answer = state.answer === '' ? 'no answer' : `“${state.answer}”`;
  return { label, text: `${answer}, γ${subscript(state.index)} = ${described(state.answerability)}${overlap(state.answer, t, metric)}${margin}` };
}

function overlap(answer: string, t: Trajectory, metric: MetricId): string {
  const { gold } = grade(metric, answer, t.answers);
  if (gold === undefined || answer === '') return '';
  const words = sharedWords(metric, answer, gold);
  const { length } = words.shared;
  if (length === 0) return `, no word shared with “${gold}”`;
  return `, shares “${words.shared.join(' ')}” with “${gold}”: ${length} of ${words.prediction.length} words here, ${length} of ${words.gold.length} there`;
}

/** Without a gold there is no arithmetic: the reason, and what the policy answered before and after the turn. */
function explainUncredited(scores: TrajectoryScores, why: string, { index }: TurnScore): ExplainedPart {
  const answers = [scores.states[index - 1], scores.states[index]].flatMap((state) => {
    if (state === undefined) return [];
    const text = state.answer === undefined ? described(state.answerability) : state.answer === '' ? 'no answer' : `“${state.answer}”`;
    return [{ label: `ỹ${subscript(state.index)}`, text }];
  });
  return { title: 'No credit', lines: [{ label: 'reason', text: `${why}: answerability, reward and gain need one to be scored against` }, ...answers] };
}

function explainReward(scores: TrajectoryScores, t: Trajectory, { index, processReward }: TurnScore): ExplainedPart {
  const { metric, alpha } = scores.provenance;
  const title = `Answerability and process reward, ${metricNames[metric]}`;
  const before = scores.states[index - 1];
  const after = scores.states[index];
  if (!before || !after) return { title, lines: [] };
  const i = subscript(index);
  const sum =
    processReward.kind === 'value'
      ? `α(γ${i} − γ${subscript(index - 1)}) = ${alpha} × (${number(after.answerability)} − ${number(before.answerability)}) = ${number(processReward, true)}`
      : described(processReward, true);
  return { title, lines: [answerLine(before, t, metric), answerLine(after, t, metric), { label: `r${i}`, text: sum }] };
}

function explainGain(scores: TrajectoryScores, { index, gain, withoutLogprob }: TurnScore): ExplainedPart {
  const title = 'Gain in the gold answer’s log-likelihood, nats a token';
  if (gain.kind === 'not scored') return { title, lines: [] };
  const i = subscript(index);
  const difference =
    gain.kind === 'value' ? `S(C) − S(C₋${i}) = ${number(scores.fullLogprob)} − ${bracketed(withoutLogprob)} = ${number(gain, true)}` : described(gain, true);
  const gold = scores.golds.length > 0 ? [{ label: 'gold', text: scores.golds.map((text) => `“${text}”`).join(', ') }] : [];
  return {
    title,
    lines: [
      ...gold,
      // A value is its own two parts already.
      ...(gain.kind === 'value' ? [] : [{ label: 'S(C)', text: described(scores.fullLogprob) }, { label: `S(C₋${i})`, text: described(withoutLogprob) }]),
      { label: `Δ${i}`, text: difference },
    ],
  };
}

const gateWords: Readonly<Record<TurnScore['gate'], string>> = {
  kept: ', kept: gain and advantage have the same sign',
  zeroed: ', zeroed: gain and advantage do not have the same sign',
  undefined: '',
  'not scored': '',
};

function explainAdvantage(scores: TrajectoryScores, turn: TurnScore): ExplainedPart {
  const title = `Advantage over ${scopeWords(scores.group)}`;
  if (turn.gain.kind === 'not scored') return { title, lines: [] };
  const { lambda, epsilon } = scores.provenance;
  const i = subscript(turn.index);
  const { gain, scaledGain, advantage, turnAdvantage } = turn;
  const b = scaledGain.kind === 'value' ? `tanh(Δ/s) = tanh(${number(gain)} / ${number(scores.scale)}) = ${number(scaledGain, true)}` : described(scaledGain, true);
  const standard =
    advantage.kind === 'value'
      ? `(b − μ)/(σ + ε) = (${number(scaledGain)} − ${bracketed(scores.mean)}) / ${number(scores.deviation)} = ${number(advantage, true)}`
      : described(advantage, true);
  const total =
    turnAdvantage.kind === 'value'
      ? `A_out + λÃ = ${number(scores.outcomeAdvantage)} + ${lambda} × ${bracketed(turn.gatedAdvantage)} = ${number(turnAdvantage, true)}`
      : described(turnAdvantage, true);
  return {
    title,
    lines: [
      { label: 's', text: `median |Δ| + ε = ${described(scores.scale)} (ε = ${epsilon})` },
      { label: `b${i}`, text: b },
      { label: 'μ, σ', text: `${described(scores.mean)}, ${described(scores.deviation)}` },
      { label: `Â${i}`, text: standard },
      { label: `Ã${i}`, text: `${described(turn.gatedAdvantage, true)}${gateWords[turn.gate]}` },
      ...(turnAdvantage.kind === 'value' ? [] : [{ label: 'A_out', text: described(scores.outcomeAdvantage, true) }]),
      { label: `A${i}`, text: total },
    ],
  };
}

function explainWritten({ written }: TurnScore): ExplainedPart {
  const title = 'The turn’s own words under this policy, nats a token';
  if (!written) return { title, lines: [] };
  if (written.kind === 'undefined') return { title, lines: [{ label: 'log π', text: described(written) }] };
  const { tokens, mean, min, entropy, firstChoices, recorded } = written;
  const share = `${formatNumber(100 * firstChoices, 0)} %`;
  return {
    title,
    lines: [
      { label: 'log π', text: `mean ${formatNumber(mean, 4)}, least ${formatNumber(min, 4)}, over ${tokens} ${tokens === 1 ? 'token' : 'tokens'}` },
      { label: 'choices', text: `${share} are its own first choice, mean entropy ${formatNumber(entropy, 4)}` },
      ...(recorded ? [{ label: 'recorded', text: recordedWords(recorded) }] : []),
    ],
  };
}

const recordedWords = (recorded: NonNullable<WrittenFigures['recorded']>): string =>
  recorded.kind === 'undefined' ? described(recorded) : `mean ${formatNumber(recorded.mean, 4)}, so π / π recorded = ${formatNumber(recorded.ratio, 4)} a token`;

const shortHash = (hash: string): string => hash.replace(/^(sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1…');

/** Where the figures came from. */
export function explainProvenance({ provenance, outcome }: Pick<TrajectoryScores, 'provenance' | 'outcome'>): ExplainedPart {
  return {
    title: 'Where this comes from',
    lines: [
      { label: 'policy', text: `${provenance.policyName} ${shortHash(provenance.policy)}, prompts ${shortHash(provenance.contract)}`.trim() },
      { label: 'run on', text: runOn(provenance) },
      { label: 'settings', text: settingsWords(provenance) },
      { label: 'outcome', text: described(outcome) },
      { label: 'scored', text: `${provenance.scoredAt} by Turnlens ${provenance.turnlens}` },
    ],
  };
}

const runOn = ({ device, dtype, activations, runtime }: Provenance): string => [device, `weights ${dtype}`, `activations ${activations}`, runtime].filter((part) => part !== '').join(', ');

function settingsWords({ metric, alpha, lambda, epsilon, gold, replace, keepLast }: Provenance): string {
  const replaced = replace === 'turn' ? 'whole turn replaced' : 'query and result replaced, reasoning kept';
  const cut = keepLast === undefined ? [] : [`contexts cut to their last ${formatNumber(keepLast, 0)} tokens`];
  return [metricNames[metric], `α = ${alpha}`, `λ = ${lambda}`, `ε = ${epsilon}`, `gold: ${gold}`, replaced, ...cut].join(', ');
}
