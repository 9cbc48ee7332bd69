import path from 'node:path';
import { expect, it } from 'vitest';
import { jsonLines } from '../../support/cli';
import { samples } from '../../support/fixtures';
import { useCli } from '../../support/useCli';

const cli = useCli();
const twoHop = path.join(samples, 'two-hop.traj');

it('the plan before, at and after a run', async () => {
  const [dry] = jsonLines((await cli.run('score', twoHop, '--dry-run', '--json')).stdout);
  expect(dry).toMatchObject({ version: 1, file: twoHop, record: 0, records: [0], plan: { tokensRun: 0, runs: 0, requests: 6, cached: 0 } });
  expect(dry).not.toHaveProperty('turns');

  const [first] = jsonLines((await cli.run('score', twoHop, '--plan', '--json')).stdout);
  const before = dry?.['plan'] as Record<string, number>;
  expect(first?.['plan']).toMatchObject({ tokensNaive: before['tokensNaive'], tokensTree: before['tokensTree'], tokensRun: before['tokensTree'], requests: 6, cached: 0 });
  expect(first).toHaveProperty('turns');

  const [second] = jsonLines((await cli.run('score', twoHop, '--plan', '--json')).stdout);
  expect(second).toEqual({ ...first, plan: { ...before, cached: 6 } });
});

it('in words', async () => {
  const { code, stdout } = await cli.run('score', twoHop, '--dry-run', '--no-cache');
  expect(code).toBe(0);
  expect(stdout).toMatch(/two-hop\.traj · record 0/);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/plan 6 requests · one forward each [\d,]+ tokens, the tree [\d,]+ tokens · run: 0 tokens in 0 calls of the model/);
});
