import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BundledCli, exitOf, jsonLines } from '../../support/cli';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let cli: BundledCli;
const scratch = mkdtempSync(path.join(tmpdir(), 'turnlens-resume-'));
beforeAll(async () => {
  cli = await BundledCli.build();
});
afterAll(() => {
  cli.remove();
  rmSync(scratch, { recursive: true, force: true });
});

const rollouts = 12;
const dump = path.join(scratch, 'dump.jsonl');
const row = (i: number): string =>
  JSON.stringify({
    input: `user\nQuestion: Who directed film ${i}?\nassistant\n`,
    output: `<think>I look.</think>\n<search>film ${i}</search>\n\n<information>Doc 1(Title: "Film ${i}") Film ${i} is by Ann ${i}.</information>\n\n<think>Done.</think>\n<answer>Ann ${i}</answer>`,
    gts: [`Ann ${i}`],
    score: 1,
    step: 1,
  });
writeFileSync(dump, Array.from({ length: rollouts }, (_, i) => row(i)).join('\n'));

interface Plan { readonly requests: number; readonly cached: number }
const planOf = (line: Record<string, unknown>): Plan => line['plan'] as Plan;

/** Its figures; how they came about, and when, may differ. */
const figures = (stdout: string): unknown[] => jsonLines(stdout).map(({ plan: _, ...line }) => line);

it('killed half-way, the same command goes on where it stopped', async () => {
  const killed = cli.start(['score', dump, '--json']);
  let seen = '';
  killed.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text));
  while (seen.split('\n').length < 5) await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await exitOf(killed);
  const journals = path.join(path.dirname(cli.dist('')), 'cache', 'turnlens', 'journals');
  const [journal = ''] = readdirSync(journals);
  const kept = readFileSync(path.join(journals, journal), 'utf8').split('\n').filter((line) => line !== '').length;
  expect(kept).toBeGreaterThan(0);

  // One record of the file is another command, and leaves what this one kept.
  expect(await cli.run('score', dump, '--record', '11', '--json')).toMatchObject({ code: 0 });
  expect(readdirSync(journals)).toEqual([journal]);

  const again = await cli.run('score', dump, '--json', '--plan');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const plans = jsonLines(again.stdout).map(planOf);
  expect(plans).toHaveLength(rollouts);
  expect(plans.reduce((sum, { cached }) => sum + cached, 0)).toBe(kept + (plans[11]?.requests ?? 0));
  expect(plans.slice(0, seen.split('\n').length - 1).every(({ cached, requests }) => cached === requests)).toBe(true);
  expect(figures(again.stdout).slice(0, 4)).toEqual(figures(seen.slice(0, seen.lastIndexOf('\n'))).slice(0, 4));
  expect(readdirSync(journals)).toEqual([]);
});

it('two at once over the same cache give the same', async () => {
  const both = await Promise.all([0, 1].map(async () => {
    const child = cli.start(['score', dump, '--json'], 'shared-cache');
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    return { code: await exitOf(child), stdout };
  }));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  // Which of them ran what decides what was packed with what, and so the last digits.
  const answersOf = (stdout: string): unknown[] => jsonLines(stdout).map(({ record, states, outcome }) => ({ record, outcome, answers: (states as { answer: string }[]).map(({ answer }) => answer) }));
  const [one = [], two] = both.map(({ stdout }) => answersOf(stdout));
  expect(one).toHaveLength(rollouts);
  expect(two).toEqual(one);
});
