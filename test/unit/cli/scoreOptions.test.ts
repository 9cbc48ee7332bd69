import { describe, expect, it } from 'vitest';

import { readScoreRequest } from '../../../src/cli/scoreOptions';
import { UsageError } from '../../../src/cli/usage';
import { defaultSettings } from '../../../src/credit/settings';

const wrong = (...argv: string[]): string => {
  try {
    readScoreRequest(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('accepted');
};

describe('turnlens score', () => {
  it('asks for everything by default', () => {
    expect(readScoreRequest(['a.traj', 'b.jsonl'])).toEqual({
      files: ['a.traj', 'b.jsonl'],
      device: 'auto',
      activations: 'fp32',
      settings: defaultSettings,
      useCache: true,
      tokens: false,
      output: 'table',
      plan: false,
      dryRun: false,
    });
  });

  it('takes every option', () => {
    const argv = ['a', '--policy', 'p', '--device', 'cpu', '--activations', 'exported', '--methods', 'lotapo', '--metric', 'em', '--alpha', '1', '--lambda=0.25'];
    argv.push('--gold', 'best', '--scope', 'question', '--replace', 'evidence', '--record', '3', '--line', 'x', '--no-cache', '--tokens', '--json');
    expect(readScoreRequest(argv)).toEqual({
      files: ['a'],
      policy: 'p',
      device: 'cpu',
      activations: 'exported',
      settings: { ...defaultSettings, methods: ['lotapo'], metric: 'em', alpha: 1, lambda: 0.25, gold: 'best', replace: 'evidence' },
      scope: 'question',
      record: 3,
      line: 'x',
      useCache: false,
      tokens: true,
      output: 'json',
      plan: false,
      dryRun: false,
    });
  });

  it.each([
    [[], 'no FILE to score'],
    [['a', '--plans'], "Unknown option '--plans'"],
    [['a', '--metric', 'rouge'], '--metric knows no "rouge"; choose from f1, em, cover-em, f1-lotapo, f1-set'],
    [['a', '--methods', 'oases,igpo'], '--methods knows no "igpo"; choose from oases, lotapo'],
    [['a', '--device', 'gpu'], '--device knows no "gpu"; choose from auto, cpu, cuda, webgpu, dml, coreml'],
    [['a', '--alpha', 'half'], '--alpha wants a number that is not negative, not "half"'],
    [['a', '--alpha', ''], '--alpha wants a number that is not negative, not ""'],
    [['a', '--lambda', 'Infinity'], '--lambda wants a number that is not negative, not "Infinity"'],
    [['a', '--record', '1.5'], '--record wants a record\'s number, counted from 0, not "1.5"'],
    [['a', '--record'], '--record wants a value'],
    [['a', '--json=yes'], "Option '--json' does not take an argument"],
    [['a', '--as', 'csv'], '--as knows no "csv"; choose from atif'],
    [['a', '--as', 'atif', '--json'], '--json and --as are two ways to write the same; choose one'],
    [['a', '--as', 'atif', '--plan'], 'a plan is no trajectory: --as atif goes without --plan and --dry-run'],
    [['a', '--tokens'], '--tokens adds to --json and needs it'],
  ])('%j is wrong use', (argv, message) => expect(wrong(...argv)).toBe(message));
});
