import { describe, expect, it } from 'vitest';
import { undefinedNotes } from '../../../src/cli/undefinedNotes';
import { scoreTable } from '../../../src/cli/scoreTable';
import { undefinedBecause } from '../../../src/credit/score';
import { defaultSettings } from '../../../src/credit/settings';
import { hoverText } from '../../../src/editor/hoverText';
import { planInline } from '../../../src/editor/inlinePlan';
import { planLenses } from '../../../src/editor/lensPlan';
import { createScorer } from '../../../src/scoring/createScorer';
import { inlineText, trajectorySummary } from '../../../src/scoring/format';
import type { TrajectoryScores } from '../../../src/scoring/model';
import { memoryStore } from '../../../src/scoring/store';
import type { Trajectory } from '../../../src/trajectory/model';
import { renderTranscript } from '../../../src/trajectory/transcript';
import { FakePolicy } from '../../support/fakePolicy';
import { twoTurns } from '../../support/makeTrajectory';

const thought = { kind: 'value', logprobs: [-1, -2], entropies: [0.5, 1.5], ranks: [0, 3] } as const;

async function scored(t: Trajectory): Promise<TrajectoryScores> {
  const policy = new FakePolicy({
    result: (request) => (request.kind === 'likelihood' ? { kind: 'likelihood', tokens: [], written: (request.written ?? []).map((_, i) => (i === 0 ? thought : { kind: 'undefined', reason: 'beyond' })), contextTokens: 1, cut: 0, notes: [] } : undefined),
  });
  const { hash, contract, device, dtype, activations, name } = policy.info;
  const scorer = createScorer({ policy, identity: () => Promise.resolve({ hash, contract, device, dtype, activations, name }), store: memoryStore(), version: '0.1.0' });
  const [scores] = await scorer.score([t], { settings: defaultSettings, scope: 'trajectory' }, { requests: () => undefined, turns: () => undefined });
  if (scores === undefined) throw new Error('scores expected');
  return scores;
}

describe('a rollout without a gold answer', () => {
  const t = twoTurns({ answers: [] });

  it('has what the policy thought of each turn and answered after it, and the reason why there is no credit', async () => {
    const scores = await scored(t);
    expect(scores.uncredited).toBe('no gold answer');
    expect(scores.states.map(({ answer }) => answer)).toEqual(['unknown', 'Nightfall', 'Ada Quill']);
    expect(scores.turns.map(({ written }) => written)).toEqual([{ kind: 'value', tokens: 2, mean: -1.5, min: -2, entropy: 1, firstChoices: 0.5 }, undefinedBecause('beyond')]);
    expect(scores.turns.map(({ spike }) => spike)).toEqual([undefined, undefined]);
  });

  it('says so in lens, inline text and hover', async () => {
    const shown = { scores: await scored(t), freshness: 'fresh' } as const;
    expect(trajectorySummary(shown.scores)).toBe('no gold answer, so no credit · log π −1.50 a token over 1 of 2 turns');
    expect(inlineText(shown.scores, 1)).toBe('○ log π −1.50 · entropy 1.00 · 50 % first choices');
    expect(inlineText(shown.scores, 2)).toBe('○ log π undefined (beyond)');
    const { anchors } = renderTranscript(t);
    expect(planInline(shown, anchors)).toHaveLength(2);
    expect(planLenses({ trajectory: t, anchors, shown, records: 1, isTranscript: true, showQuiet: false })[0]?.title).toMatch(/^no gold answer, so no credit/);
    const hover = hoverText(t, shown, 1);
    for (const said of ['No credit', 'no gold answer: answerability, reward and gain need one', 'Nightfall', 'log π', 'mean −1.5000', 'entropy 1.0000', 'policy']) expect(hover.replaceAll('\\', '')).toContain(said);
    expect(hover).not.toMatch(/Advantage over|nats a token\*\*\s+gold/);
  });

  it('has columns for that in the table, and one note in the place of all that is undefined', async () => {
    const table = scoreTable({ file: 'a.traj', record: 0 }, t, await scored(t), 110);
    expect(table).toMatch(/query +answer then +log π +entropy +first choices/);
    expect(table).toMatch(/Nightfall +−1\.50 +1\.00 +0\.50/);
    expect(table).toMatch(/undefined +every credit: no gold answer/);
    expect(table.split('\n').filter((line) => line.startsWith('undefined'))).toHaveLength(1);
  });

  it('the same where every gold is blank', async () => {
    expect((await scored(twoTurns({ answers: [' '] }))).uncredited).toBe('the gold answer is empty');
    expect((await scored(twoTurns())).uncredited).toBeUndefined();
  });
});

it('reasons are listed once, figures in a row by the first and the last', async () => {
  const scores = await scored(twoTurns());
  const why = undefinedBecause('too long');
  const turns = [1, 2, 3, 4, 6].map((index) => ({ ...scores.turns[0], index, processReward: why, gain: undefinedBecause('no search', 0) })) as TrajectoryScores['turns'];
  const notes = undefinedNotes({ ...scores, turns, states: [] });
  expect(notes.find((note) => note.endsWith('too long'))).toBe('r_1 … r_4, r_6: too long');
  expect(notes.find((note) => note.endsWith('no search'))).toBe('Δ_1 (officially 0.00) … Δ_4 (officially 0.00), Δ_6 (officially 0.00): no search');
});
