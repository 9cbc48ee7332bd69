import { describe, expect, test } from 'vitest';
import { hoverText } from '../../../src/editor/hoverText';
import { commands } from '../../../src/editor/ids';
import { planInline } from '../../../src/editor/inlinePlan';
import { type LensInput, planLenses } from '../../../src/editor/lensPlan';
import { mergeScores } from '../../../src/editor/mergeScores';
import { neighbour } from '../../../src/editor/spikeOrder';
import { notScored, value } from '../../../src/credit/score';
import type { Trajectory } from '../../../src/trajectory/model';
import { anchors, scores } from './sampleScores';

const trajectory: Trajectory = {
  question: 'Who is the spouse of <b>x</b>?',
  answers: ['Jasper Weber'],
  prompt: { kind: 'contract' },
  dialect: 'search-r1',
  text: '',
  turns: [1, 2, 3].map((index) => ({ index, policy: { start: 0, end: 0 }, querySpans: [], queries: ['q'] })),
  ending: 'complete',
  findings: [],
};
const input: LensInput = { trajectory, anchors, records: 1, isTranscript: false, showQuiet: false };
const fresh = { scores, freshness: 'fresh' } as const;
const stale = { scores, freshness: 'stale' } as const;

describe('lenses', () => {
  test('one group on the trajectory, before any score', () => {
    expect(planLenses(input).map((l) => [l.at, l.title])).toEqual([
      [2, '3 turns, not scored'],
      [2, 'Re-score'],
      [2, 'Open transcript'],
    ]);
  });

  test('one on each spike, and none on a quiet turn', () => {
    const spikes = planLenses({ ...input, shown: fresh }).slice(3);
    expect(spikes.map((l) => l.at)).toEqual([200, 300]);
    expect(spikes.map((l) => l.title)).toEqual(['▲ +0.50 reward · γ 0.00→1.00 · Δ +7.12 · Ã +1.00', '▼ −0.50 reward · γ 1.00→0.00 · Δ −3.42 · Ã −1.00']);
    expect(spikes.map((l) => [l.command, l.turn])).toEqual([[commands.explain, 2], [commands.explain, 3]]);
  });

  test('quiet turns where they are asked for', () => {
    expect(planLenses({ ...input, shown: fresh, showQuiet: true }).slice(3).map((l) => l.at)).toEqual([100, 200, 300]);
  });

  test('stale ones stay where they are and say so', () => {
    const before = planLenses({ ...input, shown: fresh });
    const after = planLenses({ ...input, shown: stale });
    expect(after.map((l) => l.at)).toEqual(before.map((l) => l.at));
    expect(after.filter((l) => l.title.startsWith('stale · ')).length).toBe(3);
  });

  test('what the file holds says so', () => {
    const after = planLenses({ ...input, shown: { scores, freshness: 'saved' } });
    expect(after.filter((l) => l.title.startsWith('from the file · ')).length).toBe(3);
    expect(planInline({ scores, freshness: 'saved' }, anchors).map(({ text, tone }) => [text.startsWith('from the file · '), tone])).toEqual([1, 2, 3].map(() => [true, 'stale']));
    expect(hoverText(trajectory, { scores, freshness: 'saved' })).toContain('From the file');
  });

  test('wider scopes where the file holds more', () => {
    const all = planLenses({ ...input, records: 40, isTranscript: true }).map((l) => l.command);
    expect(all).toEqual([commands.rescoreTrajectory, commands.rescoreTrajectory, commands.rescoreQuestion, commands.rescoreFile, commands.revealInSource]);
  });
});

test('one inline text for each turn, at its query', () => {
  expect(planInline(fresh, anchors)).toEqual([
    { at: 118, text: '○ γ 0.00 · r 0.00 · Δ +0.01 · Ã +1.00', tone: 'quiet' },
    { at: 218, text: '▲ γ 1.00 · r +0.50 · Δ +7.12 · Ã +1.00', tone: 'up' },
    { at: 318, text: '▼ γ 0.00 · r −0.50 · Δ −3.42 · Ã −1.00', tone: 'down' },
  ]);
  expect(planInline(stale, anchors).map((p) => p.tone)).toEqual(['stale', 'stale', 'stale']);
});

describe('hover', () => {
  test('has the arithmetic, the scope and the provenance', () => {
    const text = hoverText(trajectory, fresh, 3).replaceAll('\\', '');
    for (const part of ['Turn 3', 'Ines Ferrara', 'Jasper Weber', '0.5 × (0.0000 − 1.0000) = −0.5000', 'S(C)', 'tanh', 'kept', 'this trajectory alone', 'onnxruntime 1.30.0', 'demo']) expect(text).toContain(part);
  });

  test('says when it is stale', () => expect(hoverText(trajectory, stale, 1)).toContain('Stale'));

  test('quotes what a policy wrote', () => {
    const states = scores.states.map((s) => ({ ...s, answer: '[a](command:x) <b>' }));
    const text = hoverText(trajectory, { ...fresh, scores: { ...scores, states } }, 2);
    expect(text).not.toContain('](command');
    expect(text).not.toMatch(/(?<!\\)</);
  });
});

describe('what still holds after an edit', () => {
  test('replaces what it replaces, and moves no spike', () => {
    const now = {
      ...scores,
      fullLogprob: notScored,
      states: scores.states.map((s) => ({ ...s, answerability: value(0) })),
      turns: scores.turns.map(({ index, gate }) => ({ ...scores.turns[0], index, gate, processReward: value(0), gain: notScored, withoutLogprob: notScored, scaledGain: notScored, advantage: notScored, gatedAdvantage: notScored, turnAdvantage: notScored })),
    };
    const merged = mergeScores(scores, now);
    expect(merged.states[2]?.answerability).toEqual(value(0));
    expect(merged.turns.map((t) => t.gain)).toEqual(scores.turns.map((t) => t.gain));
    expect(merged.turns.map((t) => t.spike)).toEqual(scores.turns.map((t) => t.spike));
    expect(merged.fullLogprob).toEqual(scores.fullLogprob);
  });

  test('leaves figures of another number of turns alone', () => {
    expect(mergeScores(scores, { ...scores, turns: [] })).toBe(scores);
    expect(mergeScores(scores, undefined)).toBe(scores);
  });
});

test('next and previous spike go around the end', () => {
  const lines = [3, 9, 20];
  expect([neighbour(lines, 3, 1), neighbour(lines, 20, 1), neighbour(lines, 3, -1), neighbour(lines, 12, -1), neighbour([], 0, 1)]).toEqual([9, 3, 20, 9, undefined]);
});
