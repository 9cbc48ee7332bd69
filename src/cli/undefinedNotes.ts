import type { Score } from '../credit/score';
import { formatNumber } from '../scoring/format';
import type { TrajectoryScores } from '../scoring/model';
import { writtenFigure } from '../scoring/writtenFigure';

/** A figure by its symbol, and the state or turn it is of. */
interface Named {
  readonly symbol: string;
  readonly index?: number;
  readonly score: Score;
}

/** Each reason once, with the figures it holds for and what the official arithmetic makes of them. */
export function undefinedNotes(scores: TrajectoryScores): string[] {
  const byReason = new Map<string, Map<string, number[]>>();
  for (const { symbol, index, score } of figuresOf(scores)) {
    if (score.kind !== 'undefined') continue;
    const official = score.value === undefined ? '' : ` (officially ${formatNumber(score.value, 2, true)})`;
    const symbols = byReason.get(score.reason) ?? new Map<string, number[]>();
    byReason.set(score.reason, symbols);
    const key = `${symbol}\n${official}`;
    const indices = symbols.get(key) ?? [];
    symbols.set(key, indices);
    if (index !== undefined) indices.push(index);
  }
  return [...byReason].map(([reason, symbols]) => `${[...symbols].flatMap(([key, indices]) => namesOf(key, indices)).join(', ')}: ${reason}`);
}

function figuresOf(scores: TrajectoryScores): readonly Named[] {
  return [
    { symbol: 'outcome', score: scores.outcome },
    { symbol: 'A_out', score: scores.outcomeAdvantage },
    { symbol: 'S(C)', score: scores.fullLogprob },
    ...scores.states.map(({ index, answerability }) => ({ symbol: 'γ', index, score: answerability })),
    ...scores.turns.flatMap((turn): Named[] => {
      const { index } = turn;
      return [
        { symbol: 'r', index, score: turn.processReward },
        { symbol: 'Δ', index, score: turn.gain },
        { symbol: 'Â', index, score: turn.advantage },
        { symbol: 'Ã', index, score: turn.gatedAdvantage },
        { symbol: 'A', index, score: turn.turnAdvantage },
        { symbol: 'log π', index, score: writtenFigure(turn, 'mean') },
      ];
    }),
  ];
}

/** Three and more in a row are named by the first and the last: `γ_3 … γ_200`. */
function namesOf(key: string, indices: readonly number[]): string[] {
  const [symbol = '', official = ''] = key.split('\n');
  if (indices.length === 0) return [symbol + official];
  const names: string[] = [];
  for (let i = 0; i < indices.length; ) {
    let end = i;
    while (end + 1 < indices.length && indices[end + 1] === (indices[end] ?? 0) + 1) end++;
    const run = indices.slice(i, end + 1).map((index) => `${symbol}_${String(index)}${official}`);
    names.push(...(run.length > 2 ? [`${run[0] ?? ''} … ${run.at(-1) ?? ''}`] : run));
    i = end + 1;
  }
  return names;
}
