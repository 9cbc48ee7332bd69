import { describe, expect, it } from 'vitest';
import { undefinedBecause, value } from '../../../../src/credit/score';
import { arrange, extremes, fileOrder, type Listed } from '../../../../src/editor/rollouts/arrange';
import { damagedKey, rowOf, type RolloutRow } from '../../../../src/editor/rollouts/row';
import { questionLine, rolloutLine, sideLine } from '../../../../src/editor/rollouts/words';
import { makeTrajectory } from '../../../support/makeTrajectory';
import { scores } from '../sampleScores';

const row = (record: number, more: Partial<RolloutRow> = {}): RolloutRow => ({ record, question: 'q', group: 'g', turns: 3, outcome: value(0), findings: 0, messages: [], lines: [], beside: 0, ...more });
const shown = { scores, freshness: 'fresh' } as const;
const damaged = row(2, { question: '', group: damagedKey, outcome: undefinedBecause('the record cannot be read'), problem: 'Line 3: no JSON.' });
const rollouts = (): Listed[] => [{ row: row(0, { outcome: value(1), findings: 2 }) }, { row: row(1, { question: 'p', group: 'h' }), shown }, { row: damaged }, { row: row(3, { outcome: value(0.5) }) }];
const records = (listed: readonly Listed[]): number[] => listed.map((l) => l.row.record);

describe('arrange', () => {
  it('gathers by question, damaged records apart', () => {
    expect(arrange(rollouts(), fileOrder).map((g) => [g.question, records(g.rollouts)])).toEqual([['', [2]], ['q', [0, 3]], ['p', [1]]]);
    expect(arrange(rollouts(), { ...fileOrder, group: 'none' }).map((g) => records(g.rollouts))).toEqual([[0, 1, 2, 3]]);
  });

  it('tells long questions apart that begin alike, and cuts them for display alone', () => {
    const asked = (record: number, question: string): Listed => ({ row: rowOf(record, { kind: 'trajectory', trajectory: { ...makeTrajectory({ turns: [], answer: 'a' }), question } }, 'f1') });
    const long = 'Which town? '.repeat(400);
    const groups = arrange([asked(0, `${long}one`), asked(1, `${long}two`), asked(2, `${long}one`)], fileOrder);
    expect(groups.map((g) => records(g.rollouts))).toEqual([[0, 2], [1]]);
    expect(Math.max(...groups.flatMap((g) => [g.question.length, g.key.length]))).toBeLessThan(320);
  });

  it('names a question by its first record in the file, however it is read, sorted and filtered', () => {
    const firsts = (of: readonly Listed[], how = fileOrder): unknown[] => arrange(of, how).map(({ first, rollouts: [listed] }) => [first, listed?.row.record]);
    const otherwise = rollouts().map(({ row: { group, ...more } }) => ({ row: { ...more, group: group === damagedKey ? group : `other ${group}` } }));
    expect(firsts(rollouts(), { ...fileOrder, sort: 'outcome', order: 'ascending' })).toEqual([[2, 2], [1, 1], [0, 3]]);
    expect(firsts(rollouts(), { ...fileOrder, text: '#3' })).toEqual([[0, 3]]);
    expect(firsts(otherwise)).toEqual(firsts(rollouts()));
  });

  it('sorts, and what is not known stands last in either order', () => {
    const by = (order: 'ascending' | 'descending'): number[] => records(arrange(rollouts(), { ...fileOrder, group: 'none', sort: 'outcome', order })[0]?.rollouts ?? []);
    expect(by('ascending')).toEqual([1, 3, 0, 2]);
    expect(by('descending')).toEqual([0, 3, 1, 2]);
    expect(records(arrange(rollouts(), { ...fileOrder, group: 'none', sort: 'worst' })[0]?.rollouts ?? [])).toEqual([1, 0, 2, 3]);
  });

  it('filters by all conditions', () => {
    const shownWith = (...conditions: (typeof fileOrder)['conditions']): number[] => arrange(rollouts(), { ...fileOrder, conditions }).flatMap((g) => records(g.rollouts));
    expect(shownWith('failed')).toEqual([1, 3]);
    expect(shownWith('failed', 'spikes')).toEqual([1]);
    expect(shownWith('damaged')).toEqual([2]);
    expect(shownWith('damaged', 'scored')).toEqual([]);
  });

  it('filters by what a rollout says, and by its number', () => {
    const saying = (text: string): number[] => arrange(rollouts(), { ...fileOrder, text }).flatMap((g) => records(g.rollouts));
    expect(saying('P')).toEqual([1]);
    expect(saying('no json')).toEqual([2]);
    expect(saying('#3')).toEqual([3]);
    expect(saying('nowhere')).toEqual([]);
  });

  it('names the best and the worst turn by their reward', () => {
    expect(extremes(scores.turns)).toMatchObject({ best: { index: 2 }, worst: { index: 3 } });
    expect(extremes([])).toBeUndefined();
  });
});

describe('lines', () => {
  it('say outcome, rewards, turns and findings in words and shapes', () => {
    expect(rolloutLine({ row: row(1), shown })).toMatchObject({
      label: '#1 (no answer)',
      description: '0.00 · Σr 0.00 · best 2 (+0.50) · worst 3 (−0.50) · 3 turns',
      spoken: 'Record 1, no answer, outcome 0.00, sum of rewards 0.00, best turn 2 (+0.50), worst turn 3 (−0.50), 3 turns',
      icon: { id: 'circle-slash' },
    });
    expect(rolloutLine({ row: row(0, { outcome: value(1), findings: 2, messages: [{ message: 'One.', severity: 'warning' }] }) })).toMatchObject({
      description: '1.00 · 3 turns · 2 findings · not scored',
      tooltip: 'q\n\nRecord 0, 3 turns\nNo answer\nOutcome: 1.00\nNot scored\n• One.\n… 1 more finding',
      icon: { id: 'pass' },
      badge: { text: '2', tooltip: '2 findings' },
    });
    expect(rolloutLine({ row: damaged })).toMatchObject({ label: '#2', description: 'Line 3: no JSON.', icon: { id: 'error' } });
  });

  it('say over how many rollouts an outcome is the mean', () => {
    const group = arrange([...rollouts(), { row: row(4, { outcome: undefinedBecause('no gold answer') }) }], fileOrder)[1];
    expect(group && questionLine(group)).toMatchObject({ label: '1/3 q', description: 'mean 0.75 of 2 · 3 rollouts', icon: { id: 'color-mode' } });
  });
});

describe('lines beside a rollout', () => {
  const line = { line: 'searcher/a\nb', kind: 'sub-agent', turn: 2, turns: 1, answer: 'Lyon' } as const;

  it('are counted on its line, and have one each', () => {
    expect(rolloutLine({ row: row(0, { lines: [line], beside: 1 }) }).description).toContain('3 turns · 1 line beside');
    expect(sideLine(line)).toMatchObject({ label: 'searcher/a↵b', description: 'sub-agent · at turn 2 · 1 turn · Lyon', spoken: 'searcher/a↵b, sub-agent, at turn 2, 1 turn, answer Lyon' });
  });
});
