import type { Score } from '../../credit/score';
import { count, describeScore, formatNumber, formatScore, trajectorySummary } from '../../scoring/format';
import type { TurnScore } from '../../scoring/model';
import { colors } from '../ids';
import { standingWords } from '../standing';
import { visible } from '../../trajectory/visible';
import { extremes, type Listed, type QuestionGroup } from './arrange';
import type { LineRow } from './row';

/** What one line of the view says; plain data, so that it is tested without an editor. */
export interface Line {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** For a screen reader. */
  readonly spoken: string;
  /** A theme icon: its shape says what its colour says. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** At the right edge, where it is seen in a narrow view too. */
  readonly badge?: { readonly text: string; readonly tooltip: string };
}

export function rolloutLine({ row, shown }: Listed): Line {
  if (row.problem !== undefined) {
    const spoken = `Record ${row.record}, cannot be read, ${row.problem}`;
    return { label: `#${row.record}`, description: row.problem, tooltip: `${row.problem}\nOpens the record as it stands in the file.`, spoken, icon: { id: 'error', color: 'list.errorForeground' } };
  }
  const scores = shown?.scores;
  const standing = shown && standingWords[shown.freshness];
  const turns = scores && extremes(scores.turns);
  const worst = turns && turns.worst !== turns.best ? turns.worst : undefined;
  const findings = row.findings > 0 ? count(row.findings, 'finding') : undefined;
  const beside = row.beside > 0 ? `${count(row.beside, 'line')} beside` : undefined;
  const parts = [
    standing,
    formatScore(row.outcome, 2),
    scores && `Σr ${formatScore(scores.checks.rewardSum, 2, true)}`,
    turns && `best ${turnWords(turns.best)}`,
    worst && `worst ${turnWords(worst)}`,
    count(row.turns, 'turn'),
    beside,
    findings,
    scores ? undefined : 'not scored',
  ];
  const spoken = [
    `Record ${row.record}`,
    row.answer === undefined ? 'no answer' : `answer ${row.answer}`,
    `outcome ${formatScore(row.outcome, 2)}`,
    scores ? `sum of rewards ${formatScore(scores.checks.rewardSum, 2, true)}` : 'not scored',
    turns && `best turn ${turnWords(turns.best)}`,
    worst && `worst turn ${turnWords(worst)}`,
    count(row.turns, 'turn'),
    beside,
    findings,
    standing,
  ];
  const tooltip = [
    row.question,
    '',
    `Record ${row.record}, ${count(row.turns, 'turn')}`,
    row.answer === undefined ? 'No answer' : `Answer: ${row.answer}`,
    `Outcome: ${describeScore(row.outcome, 2)}${row.recordedReward === undefined ? '' : `, recorded reward ${formatNumber(row.recordedReward, 2)}`}`,
    scores ? `${standing === undefined ? '' : `${standing.charAt(0).toUpperCase()}${standing.slice(1)}: `}${trajectorySummary(scores)}` : 'Not scored',
    turns && `Best turn ${turnWords(turns.best)}${worst ? `, worst turn ${turnWords(worst)}` : ''}`,
    ...row.messages.map(({ message }) => `• ${message}`),
    row.findings > row.messages.length ? `… ${count(row.findings - row.messages.length, 'more finding')}` : undefined,
  ];
  return {
    label: `#${row.record} ${row.answer ?? '(no answer)'}`,
    description: present(parts).join(' · '),
    tooltip: present(tooltip).join('\n'),
    spoken: present(spoken).join(', '),
    icon: outcomeIcon(row.outcome),
    ...(findings === undefined ? {} : { badge: { text: row.findings > 9 ? '9+' : String(row.findings), tooltip: findings } }),
  };
}

/** Of a line beside a record's main one. */
export function sideLine({ line, kind, turn, turns, answer }: LineRow): Line {
  const place = turn === undefined ? undefined : `at turn ${turn}`;
  const words = present([kind, place, count(turns, 'turn')]);
  const label = visible(line, true);
  return {
    label,
    description: present([...words, answer]).join(' · '),
    tooltip: present([label, words.join(', '), answer === undefined ? 'No answer' : `Answer: ${answer}`]).join('\n'),
    spoken: [label, ...words, answer === undefined ? 'no answer' : `answer ${answer}`].join(', '),
    icon: { id: icons[kind] },
  };
}

const icons: Readonly<Record<LineRow['kind'], string>> = { attempt: 'history', branch: 'git-branch', 'sub-agent': 'person' };

const turnWords = ({ index, processReward }: TurnScore): string => `${index} (${formatScore(processReward, 2, true)})`;

export function questionLine({ question, rollouts }: QuestionGroup): Line {
  if (rollouts[0]?.row.problem !== undefined) {
    const [label, description] = ['Records that cannot be read', String(rollouts.length)];
    return { label, description, tooltip: `${count(rollouts.length, 'record')} cannot be read; each opens as it stands in the file.`, spoken: `${label}, ${description}`, icon: { id: 'warning', color: 'list.warningForeground' } };
  }
  const values = rollouts.flatMap(({ row }) => (row.outcome.kind === 'value' ? [row.outcome.value] : []));
  const right = values.filter((value) => value >= 1).length;
  const name = question === '' ? 'No question' : question;
  const scored = rollouts.filter(({ shown }) => shown).length;
  const parts = [meanWords(values, rollouts.length), count(rollouts.length, 'rollout'), scored > 0 ? `${scored} scored` : undefined];
  const description = present(parts).join(' · ');
  const rightWords = values.length === 0 ? 'no outcome is known' : `${right} of ${rollouts.length} right`;
  return {
    label: `${values.length === 0 ? '?' : right}/${rollouts.length} ${name}`,
    description,
    tooltip: `${name}\n\n${rightWords} · ${description}`,
    spoken: `${name}, ${rightWords}, ${description.replaceAll(' · ', ', ')}`,
    icon: values.length === 0 ? { id: 'question' } : shareIcon(right, rollouts.length),
  };
}

/** Over the rollouts whose outcome is known, and it says so where these are not all. */
function meanWords(values: readonly number[], rollouts: number): string | undefined {
  if (values.length === 0) return undefined;
  const mean = formatNumber(values.reduce((sum, v) => sum + v, 0) / values.length, 2);
  return values.length === rollouts ? `mean ${mean}` : `mean ${mean} of ${values.length}`;
}

/** Of a question: an advantage has something to compare only where it is neither all nor none. */
const shareIcon = (right: number, of: number): Line['icon'] =>
  right === of ? { id: 'pass-filled', color: colors.up } : right === 0 ? { id: 'circle-large-outline', color: colors.down } : { id: 'color-mode', color: colors.mixed };

function outcomeIcon(outcome: Score): Line['icon'] {
  if (outcome.kind !== 'value') return { id: 'question' };
  if (outcome.value >= 1) return { id: 'pass', color: colors.up };
  return outcome.value > 0 ? { id: 'color-mode', color: colors.mixed } : { id: 'circle-slash', color: colors.down };
}

const present = (parts: readonly (string | undefined)[]): string[] => parts.filter((part) => part !== undefined);
