import { describe, expect, it } from 'vitest';
import { metrics, grade } from '../../src/credit/metrics';
import { normaliseAnswer } from '../../src/credit/normalise';
import { normaliseGroup } from '../../src/credit/lotapoGroup';
import { type Score, undefinedBecause, value } from '../../src/credit/score';
import official from './official.json';

/** Figures of the official code (LOTAPO in float32) and of FlashRAG's metrics. */

const close = (actual: number | undefined, expected: number | undefined): void => {
  expect(Math.abs((actual ?? NaN) - (expected ?? NaN))).toBeLessThan(1e-6);
};
const stated = (score: Score | undefined): number | undefined => (score?.kind === 'not scored' ? undefined : score?.value);
const settings = { lambda: 0.5, epsilon: 1e-6 };

describe('normalisation', () => {
  it.each(official.normalise)('%j', (text, expected) => expect(normaliseAnswer(text ?? '')).toBe(expected));
});

describe('F1', () => {
  it.each(official.f1)('$pred against $golds', ({ pred, golds, flashrag, lotapo, set_no_article: set }) => {
    const best = (id: 'f1' | 'f1-lotapo' | 'f1-set'): number => Math.max(...golds.map((gold) => metrics[id].compare(pred, gold)));
    close(best('f1'), flashrag);
    close(best('f1-lotapo'), lotapo);
    close(best('f1-set'), set);
    if (golds.every((gold) => normaliseAnswer(gold) !== '')) close(stated(grade('f1', pred, golds).score), flashrag);
  });
});

describe('LOTAPO over a group', () => {
  const { raw, eligible, rewards } = official.lotapo;
  const members = raw.map((gains, m) => ({
    outcome: value(rewards[m] ?? NaN),
    turns: gains.map((gain, i) => (eligible[m]?.[i] ? { gain: value(gain), eligible: true } : { gain: undefinedBecause('no search'), eligible: false })),
  }));
  const group = normaliseGroup(members, { lambda: official.lotapo.lambda, epsilon: official.lotapo.eps });

  it('scales by the median of the gains', () => close(stated(group.scale), official.lotapo.scale));

  it.each(members.map((_, m) => m))('squashes, standardises, gates and adds in member %i', (m) => {
    const member = group.members[m];
    close(stated(member?.outcomeAdvantage), official.lotapo.A_out[m]);
    member?.turns.forEach((turn, i) => {
      close(stated(turn.scaledGain), official.lotapo.bounded[m]?.[i]);
      close(stated(turn.advantage), official.lotapo.normalized[m]?.[i]);
      close(stated(turn.gatedAdvantage), official.lotapo.gated[m]?.[i]);
      close(stated(turn.turnAdvantage), official.lotapo.A_turn[m]?.[i]);
    });
  });

  it('counts the eligible turns alone', () => expect([group.eligible, group.gains]).toEqual([5, 5]));
});

describe('LOTAPO over one trajectory', () => {
  it('gives the official figures, and says that there is no outcome advantage', () => {
    const [gains = []] = official.single.raw;
    const group = normaliseGroup([{ outcome: value(1), turns: gains.map((gain) => ({ gain: value(gain), eligible: true })) }], settings);
    close(stated(group.scale), official.single.scale);
    const [member] = group.members;
    member?.turns.forEach((turn, i) => {
      close(stated(turn.scaledGain), official.single.bounded[i]);
      close(stated(turn.advantage), official.single.normalized[i]);
      close(stated(turn.gatedAdvantage), official.single.gated[i]);
    });
    expect(member?.outcomeAdvantage).toEqual(undefinedBecause('a group of one', 0));
  });

  it('has no advantage for one eligible turn, where the official code says 0', () => {
    const group = normaliseGroup([{ outcome: value(1), turns: [{ gain: value(3), eligible: true }] }], settings);
    const turn = group.members[0]?.turns[0];
    expect(turn?.advantage).toEqual(undefinedBecause('one eligible turn', official.oneTurn.normalized[0]));
    expect(turn?.gatedAdvantage).toEqual(undefinedBecause('one eligible turn', official.oneTurn.gated[0]));
    expect(turn?.gate).toBe('undefined');
  });
});

describe('outcome advantage', () => {
  it('uses the population deviation', () => {
    const group = normaliseGroup(official.outcomes.scores.map((score) => ({ outcome: value(score), turns: [] })), settings);
    group.members.forEach((member, m) => close(stated(member.outcomeAdvantage), official.outcomes.advantages[m]));
  });
});
