import { describe, expect, it } from 'vitest';
import { type Score, undefinedBecause, value } from '../../../src/credit/score';
import { defaultSettings } from '../../../src/credit/settings';
import { spikeOf, type TurnFigures } from '../../../src/credit/spike';

const unknown: Score = undefinedBecause('no gold answer');
const quiet: TurnFigures = { before: value(0.5), after: value(0.5), gain: value(0), gatedAdvantage: value(0), gate: 'zeroed' };
const spike = (figures: Partial<TurnFigures>) => spikeOf({ ...quiet, ...figures }, defaultSettings.spike);

describe('a spike', () => {
  it('is made by a change of answerability', () => {
    expect(spike({ after: value(0.7) })).toBe('up');
    expect(spike({ after: value(0.3) })).toBe('down');
    expect(spike({ after: value(0.69) })).toBeUndefined();
  });

  it('has a tolerance for the last bits', () => {
    expect(spike({ before: value(0.8), after: value(1) })).toBe('up');
    expect(spike({ before: value(0.1), after: value(0.3) })).toBe('up');
  });

  it('is made by a kept advantage with a gain that counts', () => {
    expect(spike({ gain: value(0.1), gatedAdvantage: value(0.9), gate: 'kept' })).toBe('up');
    expect(spike({ gain: value(-0.1), gatedAdvantage: value(-0.9), gate: 'kept' })).toBe('down');
    expect(spike({ gain: value(0.09), gatedAdvantage: value(2), gate: 'kept' })).toBeUndefined();
    expect(spike({ gain: value(3), gatedAdvantage: value(0.8), gate: 'kept' })).toBeUndefined();
    expect(spike({ gain: value(3), gatedAdvantage: value(2), gate: 'zeroed' })).toBeUndefined();
  });

  it('is mixed where reward and gain point apart, and the gain counts', () => {
    expect(spike({ after: value(1), gain: value(-0.1) })).toBe('mixed');
    expect(spike({ after: value(1), gain: value(-0.05) })).toBe('up');
    expect(spike({ after: value(0.4), gain: value(2), gatedAdvantage: value(1), gate: 'kept' })).toBe('mixed');
  });

  it('is never made by what is undefined', () => {
    expect(spike({ after: unknown })).toBeUndefined();
    expect(spike({ gain: value(12), gatedAdvantage: undefinedBecause('one eligible turn', 0), gate: 'undefined' })).toBeUndefined();
    expect(spike({ after: unknown, gain: value(1), gatedAdvantage: value(1), gate: 'kept' })).toBe('up');
  });

  it('needs a change even where the threshold is 0', () => {
    expect(spikeOf(quiet, { answerability: 0, advantage: 0, gain: 0 })).toBeUndefined();
  });
});
