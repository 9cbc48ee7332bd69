import type { Score } from '../../credit/score';
import { describeScore, formatNumber, formatScore } from '../../scoring/format';
import { colors } from '../ids';
import { extremes, type Listed, type QuestionGroup } from './arrange';

/** What one line of the view says; plain data, so that it is tested without an editor. */
export interface Line {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** A theme icon: its shape says what its colour says. */
  readonly icon: { readonly id: string; readonly color?: string };
}

const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

export function rolloutLine({ row, shown }: Listed): Line {
  if (row.problem !== undefined) return { label: `Record ${row.record}`, description: 'cannot be read', tooltip: row.problem, icon: { id: 'error' } };
  const scores = shown?.scores;
  const turns = scores && extremes(scores.turns);
  const turnWords = (name: string, turn: { index: number; processReward: Score } | undefined): string | undefined =>
    turn && `${name} turn ${turn.index} (${formatScore(turn.processReward, 2, true)})`;
  const parts = [
    shown?.freshness === 'stale' ? 'stale' : undefined,
    `outcome ${formatScore(row.outcome, 2)}`,
    scores ? `Σr ${formatScore(scores.checks.rewardSum, 2, true)}` : 'not scored',
    turnWords('best', turns?.best),
    turns && turns.best !== turns.worst ? turnWords('worst', turns.worst) : undefined,
    count(row.turns, 'turn'),
    row.findings > 0 ? count(row.findings, 'finding') : undefined,
  ];
  const tooltip = [
    row.question,
    row.answer === undefined ? 'No answer' : `Answer: ${row.answer}`,
    `Outcome: ${describeScore(row.outcome, 2)}`,
    row.recordedReward === undefined ? '' : `Recorded reward: ${formatNumber(row.recordedReward, 2)}`,
    ...row.messages,
    row.findings > row.messages.length ? `… ${count(row.findings - row.messages.length, 'more finding')}` : '',
  ];
  return { label: `Record ${row.record}`, description: present(parts).join(' · '), tooltip: present(tooltip).join('\n'), icon: outcomeIcon(row.outcome) };
}

export function questionLine({ question, rollouts }: QuestionGroup): Line {
  const damaged = rollouts[0]?.row.problem !== undefined;
  const label = damaged ? 'Records that cannot be read' : question === '' ? 'No question' : question;
  const scored = rollouts.filter(({ shown }) => shown).length;
  const parts = [
    count(rollouts.length, 'rollout'),
    damaged ? undefined : meanOutcome(rollouts),
    scored > 0 ? `${scored} scored` : undefined,
  ];
  return { label, description: present(parts).join(' · '), tooltip: label, icon: { id: damaged ? 'warning' : 'comment' } };
}

/** Over the rollouts whose outcome is known, and it says so where these are not all. */
function meanOutcome(rollouts: readonly Listed[]): string | undefined {
  const values = rollouts.flatMap(({ row }) => (row.outcome.kind === 'value' ? [row.outcome.value] : []));
  if (values.length === 0) return undefined;
  const mean = formatNumber(values.reduce((sum, v) => sum + v, 0) / values.length, 2);
  return values.length === rollouts.length ? `mean outcome ${mean}` : `mean outcome ${mean} of ${values.length}`;
}

function outcomeIcon(outcome: Score): Line['icon'] {
  if (outcome.kind !== 'value') return { id: 'question' };
  if (outcome.value >= 1) return { id: 'pass', color: colors.up };
  return outcome.value > 0 ? { id: 'color-mode', color: colors.mixed } : { id: 'circle-slash', color: colors.down };
}

const present = (parts: readonly (string | undefined)[]): string[] => parts.filter((part) => part !== undefined && part !== '') as string[];
