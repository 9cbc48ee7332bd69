/** One line of the bench. `bar` is the most `ratio` may be; without one the figure is reported only. */
export interface Figure {
  readonly name: string;
  readonly ratio: number;
  readonly bar: number | null;
  readonly holds: boolean;
}

export const figure = (name: string, ratio: number, bar: number | null = null): Figure => ({ name, ratio, bar, holds: bar === null || ratio <= bar });

/** Of the middle two, their mean. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

export const figureText = ({ name, ratio, bar, holds }: Figure): string =>
  `${bar === null ? ' ' : holds ? '✓' : '✗'} ${name.padEnd(72)} ${number(ratio)}${bar === null ? '' : `   bar ${number(bar)}`}`;

const number = (x: number): string => (x !== 0 && Math.abs(x) < 0.001 ? x.toExponential(1) : x.toFixed(3)).padStart(8);
