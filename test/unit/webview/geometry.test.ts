import { describe, expect, it } from 'vitest';
import type { Figure } from '../../../src/panel/contract';
import { barPlot, staircase } from '../../../webview/geometry';
import { turnFor } from '../../../webview/TurnPlot';

const figure = (value?: number): Figure => (value === undefined ? { text: 'undefined' } : { value, text: String(value) });

describe('bars', () => {
  it('stand on zero, up and down, and what is no number has a mark instead', () => {
    const plot = barPlot([figure(1), figure(-0.5), figure(), figure(0)]);
    expect(plot.bars.map((b) => [b.slot, b.sign])).toEqual([[1, 'up'], [2, 'down'], [4, 'zero']]);
    expect(plot.unknown.map((u) => u.slot)).toEqual([3]);
    const [up, down] = plot.bars;
    expect((up?.y ?? 0) + (up?.height ?? 0)).toBeCloseTo(plot.zero);
    expect(down?.y).toBeCloseTo(plot.zero);
    expect(up?.height).toBeCloseTo(2 * (down?.height ?? 0));
  });

  it('of nothing and of zeros still have a scale', () => {
    expect(barPlot([]).ticks.length).toBeGreaterThan(1);
    expect(barPlot([figure(0)]).ticks.every(({ y }) => Number.isFinite(y))).toBe(true);
  });
});

it('bars of more turns than a call takes arguments have a scale', () => {
  const plot = barPlot(Array.from({ length: 200_000 }, (_, i) => figure(i === 7 ? -3 : 2)));
  expect([plot.bars.length, plot.bars[7]?.sign, plot.bars[8]?.sign]).toEqual([200_000, 'down', 'up']);
});

describe('the staircase', () => {
  it('begins before the first turn, on the scale of the bars', () => {
    const plot = staircase([figure(0), figure(1)], [figure(0.5)]);
    expect(plot.slots.map((s) => s.slot)).toEqual([0, 1]);
    const [first, second] = plot.slots;
    const top = plot.ticks.find((t) => t.text === '1.0' || t.text === '1')?.y;
    const path = plot.steps.join().split(/[MHL ]/).slice(1).map(Number);
    const expected = [first?.x, plot.zero, (first?.x ?? 0) + (first?.width ?? 0), second?.x, top, (second?.x ?? 0) + (second?.width ?? 0)];
    expect(path.map((n) => n.toFixed(1))).toEqual(expected.map((n) => n?.toFixed(1)));
    expect((plot.bars[0]?.height ?? 0) * 2).toBeCloseTo(plot.zero - (top ?? 0));
  });

  it('breaks where a state is not known', () => {
    const plot = staircase([figure(0), figure(), figure(1)], [figure(), figure()]);
    expect(plot.steps).toHaveLength(2);
    expect(plot.unknown.map((u) => u.slot)).toEqual([1]);
  });
});

it('arrow keys stay within the turns', () => {
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'a'].map((key) => turnFor(key, 2, 3))).toEqual([3, 1, 1, 3, undefined]);
  expect([turnFor('ArrowRight', undefined, 3), turnFor('ArrowRight', 3, 3), turnFor('ArrowLeft', 1, 3), turnFor('End', undefined, 0)]).toEqual([1, 3, 1, undefined]);
});
