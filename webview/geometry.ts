import { scaleBand, scaleLinear } from 'd3-scale';
import type { Figure } from '../src/panel/contract';

/** Plots as numbers, before anything is drawn. Units of the SVG's view box. */
export const size = { height: 180, left: 40, right: 8, top: 12, bottom: 22, slot: 56 };

export interface Bar {
  readonly slot: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly sign: 'up' | 'down' | 'zero';
}

export interface Mark {
  readonly slot: number;
  readonly x: number;
  readonly y: number;
}

export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly zero: number;
  readonly ticks: readonly { readonly y: number; readonly text: string }[];
  /** Slots with their number and place. */
  readonly slots: readonly { readonly slot: number; readonly x: number; readonly width: number; readonly middle: number }[];
  readonly bars: readonly Bar[];
  /** Slots whose figure is no number. */
  readonly unknown: readonly Mark[];
}

export interface Staircase extends Plot {
  /** Path data; one for each run of states that are known. */
  readonly steps: readonly string[];
}

/** One bar for each slot, from zero. @param from the number of the first slot */
export function barPlot(figures: readonly Figure[], from = 1, lowest = 0, highest = 0): Plot {
  const values = figures.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const width = size.left + size.right + figures.length * size.slot;
  const x = scaleBand<number>()
    .domain(figures.map((_, i) => from + i))
    .range([size.left, width - size.right])
    .padding(0.2);
  const y = scaleLinear()
    .domain(domainOf(values.reduce((least, value) => Math.min(least, value), lowest), values.reduce((most, value) => Math.max(most, value), highest)))
    .nice(4)
    .range([size.height - size.bottom, size.top]);
  const at = (slot: number): number => x(slot) ?? size.left;
  const zero = y(0);
  return {
    width,
    height: size.height,
    zero,
    ticks: y.ticks(4).map((tick) => ({ y: y(tick), text: String(tick).replace('-', '\u2212') })),
    slots: figures.map((_, i) => ({ slot: from + i, x: at(from + i) - x.step() * 0.1, width: x.step(), middle: at(from + i) + x.bandwidth() / 2 })),
    bars: figures.flatMap(({ value }, i) => {
      if (value === undefined) return [];
      const end = y(value);
      const sign = value > 0 ? 'up' : value < 0 ? 'down' : 'zero';
      return [{ slot: from + i, x: at(from + i), width: x.bandwidth(), y: Math.min(zero, end), height: Math.max(1, Math.abs(end - zero)), sign } as const];
    }),
    unknown: figures.flatMap(({ value }, i) => (value === undefined ? [{ slot: from + i, x: at(from + i) + x.bandwidth() / 2, y: zero - 4 }] : [])),
  };
}

/** γ_t as steps from slot to slot, the rewards as bars from zero on the same scale. Slot 0 is the state before the first turn. */
export function staircase(answerability: readonly Figure[], rewards: readonly Figure[]): Staircase {
  const plot = barPlot([{ text: '' }, ...rewards], 0, 0, 1);
  const y = (value: number): number => plot.zero - (plot.zero - unitOf(plot)) * value;
  const steps: string[] = [];
  let path = '';
  for (const [i, { value }] of answerability.entries()) {
    const slot = plot.slots[i];
    if (value === undefined || slot === undefined) {
      if (path !== '') steps.push(path);
      path = '';
      continue;
    }
    path += `${path === '' ? 'M' : 'L'}${round(slot.x)} ${round(y(value))}H${round(slot.x + slot.width)}`;
  }
  if (path !== '') steps.push(path);
  const unknown = answerability.flatMap(({ value }, i) => (value === undefined && plot.slots[i] ? [{ slot: i, x: plot.slots[i].middle, y: plot.zero - 4 }] : []));
  return { ...plot, steps, unknown };
}

/** Where 1 stands: the scale always reaches it. */
function unitOf({ ticks, zero }: Plot): number {
  const other = ticks.find((tick) => Number(tick.text.replace('\u2212', '-')) !== 0);
  return other ? zero - (zero - other.y) / Number(other.text.replace('\u2212', '-')) : zero;
}

const domainOf = (low: number, high: number): [number, number] => (low === high ? [low, low + 1] : [low, high]);
const round = (x: number): number => Math.round(x * 100) / 100;
