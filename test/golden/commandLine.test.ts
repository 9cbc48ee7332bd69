import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { JsonScore } from '../../src/scoring/scoreJson';
import { BundledCli, jsonLines } from '../support/cli';
import { root, samples } from '../support/fixtures';
import demo from './demo-policy.json';

/** What the command line prints for the samples, against the figures of one full forward for each request in torch. */

interface State {
  readonly answer: string;
  readonly answerability: JsonScore;
  readonly exactMatch: JsonScore;
}

interface Line {
  readonly outcome: JsonScore;
  readonly states: readonly State[];
  readonly turns: readonly Record<'processReward' | 'gain' | 'withoutLogprob', JsonScore>[];
  readonly fullLogprob: JsonScore;
  readonly checks: { readonly rewardSum: number; readonly telescoped: number };
  readonly tokens: readonly { readonly logprob: number }[];
  readonly provenance: object;
}

const names = Object.keys(demo.samples) as (keyof typeof demo.samples)[];
let cli: BundledCli;
let lines: Line[];

beforeAll(async () => {
  cli = await BundledCli.build();
  const { code, stdout, stderr } = await cli.run('score', '--json', '--tokens', ...names.map((name) => path.join(samples, name)));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  lines = jsonLines(stdout) as unknown as Line[];
}, 120_000);
afterAll(() => cli.remove());

it.each(names.map((name, i) => [name, i] as const))('%s', (name, i) => {
  const line = lines[i];
  const reference = demo.samples[name];
  expect(line?.states.map(({ answer, answerability, exactMatch }) => ({ answer, answerability, exactMatch }))).toEqual(
    reference.states.map(({ answer, answerability, exactMatch }) => ({ answer, answerability, exactMatch })),
  );
  expect(line?.turns.map((turn) => turn.processReward)).toEqual(reference.turns.map((turn) => turn.processReward));
  for (const [k, turn] of reference.turns.entries()) {
    expect(line?.turns[k]?.gain).toBeCloseTo(turn.gain, 3);
    expect(line?.turns[k]?.withoutLogprob).toBeCloseTo(turn.withoutLogprob, 3);
  }
  for (const [k, logprob] of reference.goldLogprobs.entries()) expect(line?.tokens[k]?.logprob).toBeCloseTo(logprob, 3);
  expect(line?.fullLogprob).toBeCloseTo(reference.fullLogprob, 3);
  expect(line?.outcome).toBe(reference.outcome);
  expect(line?.checks.rewardSum).toBeCloseTo(line?.checks.telescoped ?? Number.NaN, 12);
});

it('every key is described', () => {
  const described = readFileSync(path.join(root, 'docs', 'json.md'), 'utf8');
  const line = lines[0];
  for (const key of [line, line?.states[0], line?.turns[0], line?.checks, line?.tokens[0], line?.provenance].flatMap((part) => Object.keys(part ?? {}))) {
    expect(described).toMatch(new RegExp(`["\`]${key}["\`]`));
  }
});
