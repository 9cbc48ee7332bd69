import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../src/credit/settings';
import { readSettings } from '../../../src/editor/settings';

const read = (values: Readonly<Record<string, unknown>>) => readSettings({ get: <T>(key: string, fallback: T): T => (Object.hasOwn(values, key) ? (values[key] as T) : fallback) });

describe('settings that a file may hold anything of', () => {
  it('takes what is a value', () => {
    const { credit, problems, ...rest } = read({ metric: 'em', alpha: 0, lambda: 2, gold: 'mean', replace: 'evidence', keepLast: 512, 'spike.gain': 0.5, device: 'cpu', policy: ' /p ', scoreOnOpen: true });
    expect(credit).toEqual({ ...defaultSettings, metric: 'em', alpha: 0, lambda: 2, gold: 'mean', replace: 'evidence', keepLast: 512, spike: { ...defaultSettings.spike, gain: 0.5 } });
    expect(rest).toMatchObject({ device: 'cpu', policy: '/p', scoreOnOpen: true });
    expect(problems).toEqual([]);
  });

  it('never lets an odd value into the arithmetic, and names each with what is used instead', () => {
    const odd: Readonly<Record<string, readonly unknown[]>> = {
      metric: ['rouge', 7, null, 'toString'],
      gold: [7, 'last'],
      replace: ['foo'],
      device: ['gpu', 1],
      activations: ['int8'],
      alpha: ['x', -3, null, NaN, Infinity],
      lambda: [[], {}],
      'spike.answerability': ['0.2'],
      'spike.advantage': [-0.1],
      'spike.gain': [true],
      idleUnloadMinutes: [-1],
      warmMegabytes: ['256'],
      keepLast: [0, -1, 1.5, 'all'],
      policy: [5, null],
      showQuietLenses: ['yes'],
      scoreOnOpen: [1],
    };
    const fine = read({});
    for (const [key, values] of Object.entries(odd)) {
      for (const value of values) {
        const { problems, ...settings } = read({ [key]: value });
        expect({ ...settings, problems: [] }, key).toEqual(fine);
        expect(problems, key).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^The setting turnlens\\.${key.replace('.', '\\.')} is .+, not .+; .+ is used\\.$`));
      }
    }
    expect(read({ metric: 'rouge' }).problems).toEqual(['The setting turnlens.metric is "rouge", not one of f1, em, cover-em, f1-lotapo, f1-set; "f1" is used.']);
    expect(read({ keepLast: 0 }).problems).toEqual(['The setting turnlens.keepLast is 0, not a whole number from 1 on; null is used.']);
  });

  it('names a dialect that is none', () => {
    const { dialects, problems } = read({ dialects: [{ tags: {} }, { id: 'mine' }] });
    expect([dialects.map(({ id }) => id), problems]).toEqual([['mine'], ['The setting turnlens.dialects: Dialect 1 has no id.']]);
  });
});
