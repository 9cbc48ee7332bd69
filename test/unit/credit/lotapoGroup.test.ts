import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Member, normaliseGroup } from '../../../src/credit/lotapoGroup';
import { notScored, type Score, undefinedBecause, value } from '../../../src/credit/score';

const settings = { lambda: 0.5, epsilon: 1e-6 };
const member = (outcome: Score, ...gains: Score[]): Member => ({ outcome, turns: gains.map((gain) => ({ gain, eligible: true })) });
const only = (group: ReturnType<typeof normaliseGroup>) => group.members[0];

describe('scale', () => {
  it('is the mean of the middle two for an even number, and ε where no gain counts', () => {
    const scale = (gains: number[], epsilon: number): Score => normaliseGroup([member(value(1), ...gains.map(value))], { lambda: 0.5, epsilon }).scale;
    expect(scale([1, -2, 4, 8], 0.5)).toEqual(value(3.5));
    expect(scale([0, 1e-7], 1e-6)).toEqual(value(1e-6));
  });
});

describe('gate', () => {
  it('is a mask: kept only where gain and advantage have the same sign', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 2, maxLength: 12 }), (gains) => {
        only(normaliseGroup([member(value(1), ...gains.map(value))], settings))?.turns.forEach((turn, i) => {
          const advantage = turn.advantage.kind === 'value' ? turn.advantage.value : NaN;
          const kept = (gains[i] ?? 0) * advantage > 0;
          expect(turn.gate).toBe(kept ? 'kept' : 'zeroed');
          expect(turn.gatedAdvantage).toEqual(value(kept ? advantage : 0));
        });
      }),
    );
  });

  it('zeroes equal gains, exactly', () => {
    const turns = only(normaliseGroup([member(value(1), value(0.1), value(0.1), value(0.1))], settings))?.turns;
    expect(turns?.map(({ advantage }) => advantage)).toEqual([value(0), value(0), value(0)]);
    expect(turns?.every(({ gate }) => gate === 'zeroed')).toBe(true);
  });
});

describe('what stays out', () => {
  it('changes no statistic', () => {
    const without = normaliseGroup([member(value(1), value(1), value(-2))], settings);
    const skipped: Member = { outcome: value(1), turns: [{ gain: value(1), eligible: true }, { gain: undefinedBecause('no search'), eligible: false }, { gain: undefinedBecause('too long'), eligible: true }, { gain: value(-2), eligible: true }] };
    const group = normaliseGroup([skipped], settings);
    expect([group.scale, group.mean, group.deviation, group.gains, group.eligible]).toEqual([without.scale, without.mean, without.deviation, 2, 3]);
  });

  it('gets the outcome advantage where it is not eligible, said to be undefined', () => {
    const group = normaliseGroup([{ outcome: value(1), turns: [{ gain: undefinedBecause('no search'), eligible: false }] }, member(value(0))], settings);
    const [turn] = only(group)?.turns ?? [];
    expect(turn?.gatedAdvantage).toEqual(undefinedBecause('no search', 0));
    expect(turn?.turnAdvantage).toEqual(undefinedBecause('no search', 0.5 / (0.5 + 1e-6)));
  });

  it('has no official figure where the official code would have cut the context', () => {
    const group = normaliseGroup([member(value(1), undefinedBecause('too long'), value(1)), member(value(0))], settings);
    expect(only(group)?.turns[0]?.turnAdvantage).toEqual(undefinedBecause('too long'));
  });

  it('leaves one turn without a group, and the official code with another figure', () => {
    const turns = only(normaliseGroup([member(value(1), undefinedBecause('too long'), value(1))], settings))?.turns;
    expect(turns?.[1]).toMatchObject({ advantage: undefinedBecause('only one turn has a gain'), gate: 'undefined', turnAdvantage: undefinedBecause('only one turn has a gain') });
    expect(turns?.[0]?.turnAdvantage).toEqual(undefinedBecause('too long'));
  });

  it('counts as 0 in the official code where it is not finite', () => {
    const turn = only(normaliseGroup([member(value(1), undefinedBecause('not finite', 0), value(1))], settings))?.turns[0];
    expect(turn?.gatedAdvantage).toEqual(undefinedBecause('not finite', 0));
    expect(turn?.advantage).toEqual(undefinedBecause('not finite'));
  });
});

describe('outcome advantage', () => {
  const advantages = (...outcomes: Score[]) => normaliseGroup(outcomes.map((outcome) => member(outcome)), settings).members.map((m) => m.outcomeAdvantage);

  it('is undefined with value 0 in a group of one or of equal outcomes', () => {
    expect(advantages(value(0.1))).toEqual([undefinedBecause('a group of one', 0)]);
    expect(advantages(value(0.1), value(0.1), value(0.1))).toEqual(Array(3).fill(undefinedBecause('all outcomes of the group are equal', 0)));
  });

  it('leaves out an outcome that is not known', () => {
    const [a, b, c] = advantages(value(1), undefinedBecause('damaged'), value(0));
    expect([a?.kind, c?.kind]).toEqual(['value', 'value']);
    expect(b).toEqual(undefinedBecause('damaged'));
    expect(advantages(value(1), undefinedBecause('damaged'))[0]).toEqual(undefinedBecause('no other outcome in the group', 0));
  });
});

describe('turn advantage', () => {
  it('is the gated one on top of the outcome’s', () => {
    const group = normaliseGroup([member(value(1), value(2), value(-1)), member(value(0), value(1))], { lambda: 2, epsilon: 1e-6 });
    const m = only(group);
    const [turn] = m?.turns ?? [];
    if (m?.outcomeAdvantage.kind !== 'value' || turn?.gatedAdvantage.kind !== 'value') throw new Error('figures expected');
    expect(turn.turnAdvantage).toEqual(value(m.outcomeAdvantage.value + 2 * turn.gatedAdvantage.value));
  });

  it('names the group of one, and the official figure', () => {
    const [turn] = only(normaliseGroup([member(value(1), value(2), value(-1))], settings))?.turns ?? [];
    expect(turn?.turnAdvantage).toMatchObject({ kind: 'undefined', reason: 'a group of one', value: expect.any(Number) as number });
  });
});

describe('nothing scored', () => {
  it('stays not scored', () => {
    const group = normaliseGroup([member(notScored, notScored)], settings);
    expect(group.scale).toEqual(notScored);
    expect(only(group)?.turns[0]).toEqual({ scaledGain: notScored, advantage: notScored, gatedAdvantage: notScored, gate: 'not scored', turnAdvantage: notScored });
  });

  it('has ε for a scale where no turn has a gain', () => {
    expect(normaliseGroup([member(value(1))], settings).scale).toEqual(undefinedBecause('no turn has a gain', 1e-6));
  });
});
