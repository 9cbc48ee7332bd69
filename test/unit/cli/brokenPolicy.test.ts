import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { BundledCli, exitOf, jsonLines } from '../../support/cli';
import { samples } from '../../support/fixtures';

/** Every test starts processes, on machines that may be busy. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const files = ['two-hop', 'one-hop', 'harmful-turn', 'mixed-signs'].map((name) => path.join(samples, `${name}.traj`));

let cli: BundledCli;
beforeAll(async () => {
  cli = await BundledCli.build('test/support/faultyPolicyProcess.ts');
});
afterAll(() => cli.remove());

describe('a policy whose process ends', () => {
  it('once, is started again, and nothing is lost', async () => {
    writeFileSync(cli.dist('fault'), 'kill 5');
    const { code, stdout, stderr } = await cli.run('score', '--json', ...files.slice(0, 2));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(jsonLines(stdout).map((line) => line['file'])).toEqual(files.slice(0, 2));
  });

  it('whatever is asked of it, is given up after a while, and every rollout left is named', async () => {
    writeFileSync(cli.dist('policyProcess.js'), 'process.exit(3);');
    const { code, stdout, stderr } = await cli.run('score', '--json', '--no-cache', ...files);
    expect(code).toBe(1);
    expect(jsonLines(stdout).map((line) => [line['file'], line['record']])).toEqual(files.map((file) => [file, 0]));
    const reasons = jsonLines(stdout).map((line) => String(line['problem']));
    expect(reasons.slice(2)).toEqual(Array(2).fill('It was not tried: the policy’s process kept ending over the rollouts before it.'));
    expect(new Set(reasons.slice(0, 2)).size).toBe(1);
    expect(stderr.trimEnd().split('\n')).toHaveLength(files.length);
  });
});

it('Ctrl+C ends it with 130, and what was finished is not asked again', async () => {
  const interrupted = await BundledCli.build();
  try {
    const child = interrupted.start(['score', '--json', ...files]);
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout === '') child.kill('SIGINT');
      stdout += text;
    });
    expect(await exitOf(child)).toBe(130);
    const finished = jsonLines(stdout);
    expect(finished.length).toBeLessThan(files.length);

    // Without a process that runs, all that can come back is what was kept.
    writeFileSync(interrupted.dist('policyProcess.js'), 'process.exit(3);');
    const again = await interrupted.run('score', '--json', ...files.slice(0, finished.length));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(jsonLines(again.stdout)).toEqual(finished);
  } finally {
    interrupted.remove();
  }
});
