import { describe, expect, test } from 'vitest';
import { choosePacks, cpuCost, gpuCost } from '../../../src/replay/packing';

const branch = (start: number, tokens: number): { start: number; tokens: number } => ({ start, tokens });

describe('choosePacks', () => {
  test('the short ends of an evaluator’s states share a run', () => {
    const ends = [250, 500, 750, 1000].map((start) => branch(start, 6));
    expect(choosePacks(ends, cpuCost)).toEqual({ packs: [ends], alone: [] });
  });

  test('what follows a replaced turn is run alone, and a short one does not join it', () => {
    const [long, longer, short] = [branch(1000, 900), branch(750, 1150), branch(1900, 20)];
    expect(choosePacks([long, longer, short], cpuCost)).toEqual({ packs: [], alone: [short, long, longer] });
  });

  test('a run stays within its bounds on any device', () => {
    const many = Array.from({ length: 200 }, (_, i) => branch(4000 + i, 10));
    for (const cost of [cpuCost, gpuCost]) {
      const { packs, alone } = choosePacks(many, cost);
      expect([...packs.flat(), ...alone].length).toBe(many.length);
      for (const pack of packs) {
        const tokens = pack.reduce((sum, each) => sum + each.tokens, 0);
        expect(tokens).toBeLessThanOrEqual(cost.longestRun);
        expect(tokens * (4200 + tokens)).toBeLessThanOrEqual(cost.largestMask);
      }
    }
  });

  test('a device with dear runs packs more', () => {
    const branches = Array.from({ length: 8 }, (_, i) => branch(1500 - i, 100));
    expect(choosePacks(branches, gpuCost).packs.length).toBeLessThan(Math.max(1, choosePacks(branches, cpuCost).packs.length + choosePacks(branches, cpuCost).alone.length));
  });
});
