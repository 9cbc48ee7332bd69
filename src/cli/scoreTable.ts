import type { Score } from '../credit/score';
import { formatScore, scopeWords, shapes, wordsOfRollout } from '../scoring/format';
import type { TrajectoryScores, TurnScore } from '../scoring/model';
import type { ReplayPlan } from '../scoring/replayPlan';
import { writtenFigure } from '../scoring/writtenFigure';
import type { Place } from '../scoring/scoreJson';
import type { Finding, Trajectory, Turn } from '../trajectory/model';
import { undefinedNotes } from './undefinedNotes';
import { cells, cut, padLeft, padRight, plainLine, wrap } from './plainText';

interface Column {
  readonly title: string;
  cell(turn: TurnScore): string;
}

/**
 * One rollout as a person reads it: what was asked, a row for each turn, what the figures came from, what to know about the file.
 * Spikes are marked by a shape and nothing is coloured, so that a pipe, a light theme and NO_COLOR lose nothing.
 */
export function scoreTable({ file, record, line }: Place, t: Trajectory, scores: TrajectoryScores, columns: number, plan?: ReplayPlan): string {
  const notes = scores.uncredited === undefined ? undefinedNotes(scores) : [`every credit: ${scores.uncredited}`];
  const lines = [
    `── ${cut(plainLine(file), columns - 20)} · record ${record}${line === undefined ? '' : ` · ${cut(plainLine(line), 30)}`} ${'─'.repeat(3)}`,
    ...field('question', t.question, columns),
    ...field('gold', goldText(t, scores), columns),
    ...field('answer', `${t.final === undefined ? 'none' : quote(t.final.answer)} · outcome ${cell(scores.outcome, 2)} (${scores.provenance.metric})`, columns),
    '',
    ...turnRows(t, scores, columns),
    '',
    ...field('summary', summary(scores), columns),
    ...notes.flatMap((note) => field('undefined', note, columns)),
    ...[...t.findings, ...scores.findings].flatMap((f) => field(f.severity, findingText(f), columns)),
    ...(plan ? field('plan', planWords(plan), columns) : []),
    ...field('policy', provenance(scores), columns),
  ];
  return `${lines.join('\n')}\n`;
}

/** What scoring rollouts of one question would ask of the policy. */
export function planTable(file: string, records: readonly number[], question: string, plan: ReplayPlan, columns: number): string {
  const which = records.length === 1 ? `record ${records[0]}` : `records ${records.join(', ')}`;
  const lines = [`── ${cut(`${plainLine(file)} · ${which}`, columns - 7)} ${'─'.repeat(3)}`, ...field('question', question, columns), ...field('plan', planWords(plan), columns)];
  return `${lines.join('\n')}\n`;
}

const count = (n: number, one: string): string => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`;

function planWords({ requests, cached, tokensNaive, tokensTree, tokensRun, runs }: ReplayPlan): string {
  const asked = count(requests, 'request') + (cached > 0 ? `, ${cached === requests ? 'all' : cached.toLocaleString('en')} of them answered before` : '');
  const tree = `one forward each ${count(tokensNaive, 'token')}, the tree ${count(tokensTree, 'token')}`;
  return `${asked} · ${tree} · run: ${count(tokensRun, 'token')} in ${count(runs, 'call')} of the model`;
}

const labelWidth = 13;

function field(label: string, text: string, columns: number): string[] {
  return wrap(plainLine(text), columns - labelWidth).map((line, i) => padRight(i === 0 ? label : '', labelWidth) + line);
}

const quote = (text: string): string => `“${text}”`;

function goldText(t: Trajectory, scores: TrajectoryScores): string {
  if (t.answers.length === 0) return 'none in the file';
  const used = t.answers.length > 1 && scores.gold !== undefined ? ` · the gains use ${quote(scores.gold)}` : '';
  return t.answers.map(quote).join(', ') + used;
}

function turnRows(t: Trajectory, scores: TrajectoryScores, columns: number): string[] {
  if (scores.turns.length === 0) return ['no search turns'];
  const figures = figureColumns(scores);
  const rows = scores.turns.map((turn) => figures.map((column) => column.cell(turn)));
  const widths = figures.map((column, k) => widest([column.title, ...rows.map((row) => row[k] ?? '')]));
  const numberWidth = String(scores.turns.length).length;
  const left = 2 + numberWidth + 2;
  const taken = left + widths.reduce((sum, width) => sum + width + 2, 0);
  const queries = scores.turns.map((_, i) => action(t.turns[i]));
  const queryWidth = Math.min(Math.max(12, columns - taken), Math.max(5, widest(queries)));
  const line = (mark: string, number: string, query: string, row: readonly string[]): string =>
    [`${mark} ${padLeft(number, numberWidth)}`, padRight(cut(query, queryWidth), queryWidth), ...row.map((text, k) => padLeft(text, widths[k] ?? 0))].join('  ').trimEnd();
  return [
    line(' ', '', 'query', figures.map((column) => column.title)),
    ...scores.turns.map((turn, i) => line(turn.spike === undefined ? ' ' : shapes[turn.spike], String(turn.index), queries[i] ?? '', rows[i] ?? [])),
  ];
}

const widest = (texts: readonly string[]): number => texts.reduce((width, text) => Math.max(width, cells(text)), 0);

const action = (turn: Turn | undefined): string => {
  if (turn === undefined || turn.queries.length === 0) return `(${turn?.ineligible ?? 'no search'})`;
  return plainLine(turn.queries.join(' | '));
};

/** Narrow: why a figure is undefined stands below the rows. */
const cell = (score: Score, digits: number, signed = false): string => (score.kind === 'undefined' ? '?' : formatScore(score, digits, signed));

/** Only what was asked for: a method that did not run has no columns. */
function figureColumns(scores: TrajectoryScores): Column[] {
  if (scores.uncredited !== undefined) return wordColumns(scores);
  const { states, turns, provenance: p } = scores;
  const number = (title: string, pick: (turn: TurnScore) => Score, digits = 2): Column => ({ title, cell: (turn) => cell(pick(turn), digits, true) });
  const gamma = (i: number): string => cell(states[i]?.answerability ?? { kind: 'not scored' }, 2);
  const oases: Column[] = [
    { title: 'γ', cell: (turn) => `${gamma(turn.index - 1)}→${gamma(turn.index)}` },
    number('r', (turn) => turn.processReward, p.alpha < 0.1 ? 4 : 2),
  ];
  const lotapo: Column[] = [
    number('Δ', (turn) => turn.gain),
    number('b', (turn) => turn.scaledGain),
    number('Â', (turn) => turn.advantage),
    number('Ã', (turn) => turn.gatedAdvantage),
    { title: 'gate', cell: (turn) => (turn.gate === 'undefined' ? '?' : turn.gate) },
    number('A', (turn) => turn.turnAdvantage),
    ...(turns.some((turn) => turn.written) ? [number('log π', ownWords)] : []),
  ];
  return [...(states.length > 0 ? oases : []), ...(turns.some((turn) => turn.gate !== 'not scored') ? lotapo : [])];
}

/** Without a gold: what the policy answers after the turn, and what it thought of the turn's words. */
function wordColumns({ states, turns }: TrajectoryScores): Column[] {
  const figure = (title: string, pick: 'mean' | 'entropy' | 'firstChoices'): Column => ({ title, cell: (turn) => cell(writtenFigure(turn, pick), 2) });
  const answers: Column = { title: 'answer then', cell: ({ index }) => cut(plainLine(states[index]?.answer ?? '?'), 24) };
  const words = [figure('log π', 'mean'), figure('entropy', 'entropy'), figure('first choices', 'firstChoices')];
  return [...(states.length > 0 ? [answers] : []), ...(turns.some(({ written }) => written) ? words : [])];
}

/** Mean log-probability of what the policy wrote in the turn. */
const ownWords = (turn: TurnScore): Score => writtenFigure(turn, 'mean');

function summary(scores: TrajectoryScores): string {
  if (scores.uncredited !== undefined) return wordsOfRollout(scores);
  const { checks, fullLogprob, scale, group, outcomeAdvantage } = scores;
  const oases = checks.rewardSum.kind === 'not scored' ? [] : [`Σr ${cell(checks.rewardSum, 2, true)} = α(γ_T − γ_0) ${cell(checks.telescoped, 2, true)}`];
  const lotapo =
    fullLogprob.kind === 'not scored'
      ? []
      : [`S(C) ${cell(fullLogprob, 2, true)}`, `scale ${cell(scale, 4)}`, `A_out ${cell(outcomeAdvantage, 2, true)}`, `advantages over ${scopeWords(group)}`];
  return [...oases, ...lotapo].join(' · ');
}

const findingText = ({ turn, message }: Finding): string =>
  turn === undefined || new RegExp(`\\bturn ${turn}\\b`, 'i').test(message) ? message : `turn ${turn}: ${message}`;

const short = (hash: string): string => hash.slice(0, hash.indexOf(':') + 13);

const provenance = ({ provenance: p }: TrajectoryScores): string =>
  [
    `${p.policyName} ${short(p.policy)}`,
    `contract ${short(p.contract)}`,
    `${p.device} ${p.dtype}, activations ${p.activations}`,
    `${p.metric}, α ${p.alpha}, λ ${p.lambda}, ε ${p.epsilon}, gold ${p.gold}, replace ${p.replace}`,
    `turnlens ${p.turnlens}, ${p.runtime}`,
  ].join(' · ');
