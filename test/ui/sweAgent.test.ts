import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Workbench } from './workbench';

const step = (thought: string, action: string, observation: string): object => ({ action, observation, response: `${thought}\n\n\`\`\`\n${action}\n\`\`\``, thought: `${thought}\n\n`, state: '{"open_file": "n/a"}' });
/** As SWE-agent writes a run: no gold answer, and a patch at the end. */
const run = {
  environment: 'swe_main',
  trajectory: [
    step('I look at the files first.', 'ls', 'setup.py\nsrc'),
    step('The function divides by a length that may be 0.', "sed -i 's/total / n/total / max(n, 1)/' src/mean.py", 'Edited src/mean.py'),
    step('Does it work now?', 'python -m pytest -q', '3 passed in 0.12s'),
    step('I hand it in.', 'submit', 'diff --git a/src/mean.py b/src/mean.py'),
  ],
  history: [
    { role: 'system', content: 'You are a programmer.', agent: 'primary' },
    { role: 'user', content: 'ISSUE:\nmean([]) raises ZeroDivisionError.\n\nINSTRUCTIONS:\nFix it.', agent: 'primary' },
  ],
  info: { exit_status: 'submitted', submission: 'diff --git a/src/mean.py b/src/mean.py', model_stats: { instance_cost: 0.4 } },
};

describe('a run of SWE-agent', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start();
    writeFileSync(path.join(workbench.folder, 'repo-i1.traj'), JSON.stringify(run, undefined, 2));
    await workbench.open('repo-i1.traj');
    await workbench.run('Turnlens: Open Transcript');
    await workbench.lens(/4 turns/).waitFor();
  });
  afterAll(() => workbench?.close());

  test('reads as commands and what came back', async () => {
    for (const text of ['mean([]) raises ZeroDivisionError.', 'command: ls', 'command: python -m pytest -q', '3 passed in 0.12s', 'command: submit']) await workbench.line(text).waitFor();
    await workbench.screenshot('swe-agent-transcript');
  });

  test('without a gold answer shows what the policy thought of each turn, and why there is no credit', async () => {
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.lens(/no gold answer/i).first().waitFor();
    await workbench.screenshot('swe-agent-scored');
  });

  test('stands in the Rollouts view', async () => {
    await workbench.run('Turnlens: Show in Rollouts');
    await workbench.page.locator('.pane-body .monaco-list-row', { hasText: /repo-i1\.traj.*1 rollout/ }).first().waitFor();
    await workbench.screenshot('swe-agent-rollouts');
  });
});
