import { describe, expect, it } from 'vitest';
import { notScored } from '../../../src/credit/score';
import type { TrajectoryScores } from '../../../src/scoring/model';
import { readSavedScores, savedScores } from '../../../src/scoring/savedScores';
import { readText } from '../../../src/trajectory/read';
import { atifOf } from '../../../src/trajectory/writeAtif';
import type { Trajectory } from '../../../src/trajectory/model';
import { oasesAlone, scores, severalGolds, trajectory } from '../cli/example';

/** What a document does not keep. */
const kept = (full: TrajectoryScores): TrajectoryScores => ({ ...full, mean: notScored, deviation: notScored });
const through = (full: TrajectoryScores): TrajectoryScores | undefined => {
  const read = readText(JSON.stringify(atifOf(trajectory, { scores: savedScores(trajectory, full) })), 'atif');
  return read.kind === 'problem' ? undefined : readSavedScores(read.trajectory);
};

describe('scores that a document keeps', () => {
  it.each([
    ['of all methods', scores],
    ['of one method', oasesAlone],
    ['with several golds', severalGolds],
    ['with findings of scoring', { ...scores, findings: [{ code: 'state-without-answer', severity: 'information', message: 'None.', turn: 1 }] } satisfies TrajectoryScores],
    ['with an answer that hangs on nothing', { ...scores, states: scores.states.map((state) => ({ ...state, fragile: true as const })) }],
    [
      'with what the policy thought of its words',
      {
        ...scores,
        turns: scores.turns.map((turn, i): TrajectoryScores['turns'][number] => ({
          ...turn,
          written:
            i === 0
              ? { kind: 'value', mean: -1, min: -2, entropy: 0.5, firstChoices: 0.75, tokens: 9, recorded: { kind: 'value', mean: -1.1, ratio: 1.1 } }
              : { kind: 'undefined', reason: 'it does not fit' },
        })),
      },
    ],
    ['with words beside which the file records nothing that compares', { ...scores, turns: scores.turns.map((turn) => ({ ...turn, written: { kind: 'value' as const, mean: -1, min: -2, entropy: 0.5, firstChoices: 1, tokens: 9, recorded: { kind: 'undefined' as const, reason: 'no ids' } } })) }],
  ])('%s: come back as they were', (_, full: TrajectoryScores) => {
    expect(through(full)).toEqual(kept(full));
  });

  const saved = savedScores(trajectory, scores);
  it.each<[string, Trajectory]>([
    ['nothing', trajectory],
    ['another version', { ...trajectory, scored: { ...saved, version: 2 } }],
    ['no provenance', { ...trajectory, scored: { ...saved, provenance: undefined } }],
    ['another number of turns', { ...trajectory, turns: trajectory.turns.slice(1), scored: saved }],
    ['a figure that is text', { ...trajectory, scored: { ...saved, outcome: '1' } }],
  ])('%s is none', (_, t) => {
    expect(readSavedScores(t)).toBeUndefined();
  });

  it('of a rollout without a gold answer, that there is none', () => {
    const goldless = { ...trajectory, answers: [] };
    const read = readSavedScores({ ...goldless, scored: savedScores(goldless, { ...scores, uncredited: 'no gold answer' }) });
    expect(read?.uncredited).toBe('no gold answer');
  });
});
