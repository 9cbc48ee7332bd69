import { describe, expect, it } from 'vitest';
import { notScored, undefinedBecause, value } from '../../../src/credit/score';
import { defaultSettings } from '../../../src/credit/settings';
import { createScorer } from '../../../src/scoring/createScorer';
import { explainTurn } from '../../../src/scoring/explain';
import { describeScore, formatNumber, formatScore, inlineText, scopeWords, spikeTitle, trajectorySummary } from '../../../src/scoring/format';
import type { TrajectoryScores } from '../../../src/scoring/model';
import { memoryStore } from '../../../src/scoring/store';
import type { ScoreOptions } from '../../../src/scoring/scorer';
import type { Trajectory } from '../../../src/trajectory/model';
import { FakePolicy } from '../../support/fakePolicy';
import { makeTrajectory, twoTurns } from '../../support/makeTrajectory';

async function score(t: Trajectory, options: Partial<ScoreOptions> = {}): Promise<TrajectoryScores> {
  const policy = new FakePolicy();
  const scorer = createScorer({ policy, identity: () => Promise.resolve(policy.info), store: memoryStore(), version: '0.1.0' });
  const [scores] = await scorer.score([t], { settings: defaultSettings, scope: 'trajectory', ...options }, { requests: () => undefined, turns: () => undefined });
  if (!scores) throw new Error('scores expected');
  return scores;
}

describe('numbers', () => {
  it('have a true minus, and no sign that rounding has emptied', () => {
    expect(formatNumber(-1.234, 2)).toBe('−1.23');
    expect(formatNumber(1.234, 2, true)).toBe('+1.23');
    expect(formatNumber(-0.001, 2, true)).toBe('0.00');
    expect(formatNumber(0, 2, true)).toBe('0.00');
  });

  it('that are unknown are words, never 0', () => {
    expect(formatScore(undefinedBecause('a group of one', 0), 2)).toBe('undefined');
    expect(formatScore(notScored, 2)).toBe('not scored');
    expect(describeScore(undefinedBecause('a group of one', 0), 2)).toBe('undefined: a group of one (the official arithmetic gives 0.00)');
    expect(describeScore(undefinedBecause('no search'), 2)).toBe('undefined: no search');
    expect(describeScore(value(-0.5), 2, true)).toBe('−0.50');
  });
});

describe('the title of a turn', () => {
  it('has reward, γ before and after, gain and gated advantage', async () => {
    const scores = await score(twoTurns());
    expect(spikeTitle(scores, 2)).toBe('▲ +0.50 reward · γ 0.00→1.00 · Δ +4.90 · Ã +1.00');
    expect(spikeTitle(scores, 1)).toBe('○ 0.00 reward · γ 0.00→0.00 · Δ 0.00 · Ã 0.00');
    expect(spikeTitle(scores, 3)).toBe('');
  });

  it('leaves out what was not asked for, and says what is undefined', async () => {
    const oases = await score(twoTurns(), { settings: { ...defaultSettings, methods: ['oases'] } });
    expect(spikeTitle(oases, 2)).toBe('▲ +0.50 reward · γ 0.00→1.00');
    const one = await score(makeTrajectory({ turns: [{ search: 'q', result: 'It is Ada Quill.' }], answer: 'x' }));
    expect(spikeTitle(one, 1)).toBe('▲ +0.50 reward · γ 0.00→1.00 · Δ +4.90 · Ã undefined');
  });

  it('says that contexts were cut', async () => {
    expect(spikeTitle(await score(twoTurns(), { settings: { ...defaultSettings, keepLast: 99 } }), 2)).toMatch(/ · contexts cut to their last 99 tokens$/);
  });
});

describe('the text on a turn’s line', () => {
  it('is short, and says why a figure is undefined', async () => {
    expect(inlineText(await score(twoTurns()), 2)).toBe('▲ γ 1.00 · r +0.50 · Δ +4.90 · Ã +1.00');
    const t = makeTrajectory({ turns: [{ search: 'q', result: 'It is Ada Quill.' }, { search: 'p' }], answer: 'x' });
    const scores = await score(t);
    expect(inlineText(scores, 1)).toBe('▲ γ 1.00 · r +0.50 · Δ +4.90 · Ã undefined (one eligible turn)');
    expect(inlineText(scores, 2)).toBe('○ γ 1.00 · r 0.00 · Δ undefined (no observation)');
  });
});

describe('the trajectory’s line', () => {
  it('sums up, and names the scope', async () => {
    expect(trajectorySummary(await score(twoTurns()))).toBe('outcome 1.00 · γ 0.00→1.00 · Σr +0.50 · S −0.10 · Ã over this trajectory alone (2 eligible turns)');
    expect(scopeWords({ scope: 'question', id: 'q', rollouts: 5, turns: 12, gains: 11 })).toBe('the question’s 5 rollouts (12 eligible turns, 11 with a gain)');
    expect(scopeWords({ scope: 'question', id: 'q', rollouts: 1, turns: 1 })).toBe('the question’s only rollout (1 eligible turn)');
  });
});

describe('the explanation of a turn', () => {
  it('is the whole arithmetic with its numbers', async () => {
    const parts = explainTurn(await score(twoTurns()), twoTurns(), 2);
    const text = parts.map(({ title, lines }) => [title, ...lines.map(({ label, text }) => `${label}: ${text}`)].join('\n')).join('\n\n');
    expect(text.replace(/scored: .*/, 'scored: then')).toMatchInlineSnapshot(`
      "Answerability and process reward, token F1
      ỹ₁: “Nightfall”, γ₁ = 0.0000, no word shared with “Ada Quill”, margin 1.0000 logits
      ỹ₂: “Ada Quill”, γ₂ = 1.0000, shares “ada quill” with “Ada Quill”: 2 of 2 words here, 2 of 2 there, margin 1.0000 logits
      r₂: α(γ₂ − γ₁) = 0.5 × (1.0000 − 0.0000) = +0.5000

      Gain in the gold answer’s log-likelihood, nats a token
      gold: “Ada Quill”
      Δ₂: S(C) − S(C₋₂) = −0.1000 − (−5.0000) = +4.9000

      Advantage over this trajectory alone (2 eligible turns)
      s: median |Δ| + ε = 4.9000 (ε = 0.000001)
      b₂: tanh(Δ/s) = tanh(4.9000 / 4.9000) = +0.7616
      μ, σ: 0.3808, 0.3808
      Â₂: (b − μ)/(σ + ε) = (0.7616 − 0.3808) / 0.3808 = +1.0000
      Ã₂: +1.0000, kept: gain and advantage have the same sign
      A_out: undefined: a group of one (the official arithmetic gives 0.0000)
      A₂: undefined: a group of one (the official arithmetic gives +0.5000)

      Where this comes from
      policy: fake sha256:000000000000…, prompts sha256:62bfc5ffa290…
      run on: cpu, weights float32, activations fp32, none
      settings: token F1, α = 0.5, λ = 0.5, ε = 0.000001, gold: first, whole turn replaced
      outcome: 1.0000
      scored: then"
    `);
  });

  it('says why where there is no number', async () => {
    const t = makeTrajectory({ turns: [{ search: 'q', result: 'It is Ada Quill.' }, { search: 'p' }], answer: 'x' });
    const scores = await score(t);
    const lines = (turn: number) => new Map(explainTurn(scores, t, turn).flatMap((part) => part.lines.map(({ label, text }) => [label, text] as const)));
    expect(lines(1).get('Â₁')).toBe('undefined: one eligible turn (the official arithmetic gives 0.0000)');
    expect(lines(2).get('Δ₂')).toBe('undefined: no observation');
    expect(explainTurn(scores, t, 9)).toEqual([]);
  });

  it('leaves out the part of a method that was not asked for', async () => {
    const scores = await score(twoTurns(), { settings: { ...defaultSettings, methods: ['lotapo'] } });
    expect(explainTurn(scores, twoTurns(), 1)).toHaveLength(3);
  });
});
