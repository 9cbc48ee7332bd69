import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manyRollouts } from '../support/manyRollouts';
import { moment, Workbench } from './workbench';

describe('what a newcomer runs into', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start();
  });
  afterAll(() => workbench?.close());

  test('without a document the palette offers what works without one', async () => {
    const titles = async (): Promise<string[]> => {
      const shown = await workbench.page.locator('.quick-input-list .monaco-list-row .label-name').allInnerTexts();
      return shown.filter((t) => t.startsWith('Turnlens')).sort();
    };
    const always = ['Filter Rollouts by Text…', 'Filter Rollouts…', 'Find Rollouts in Workspace', 'Focus on Rollouts View', 'Group Rollouts by Question or Not', 'Open Panel', 'Open Sample Trajectory'];
    const more = ['Select Policy…', 'Show in Rollouts', 'Show Log', 'Show Policy and Device', 'Sort Rollouts…'];
    // A window knows the commands of its extensions a moment after it is there.
    await workbench.untilDone(async () => {
      await workbench.ask('F1', '>Turnlens: ');
      await expect.poll(titles, moment).toEqual([...always, ...more].map((title) => `Turnlens: ${title}`).sort());
    });
    await workbench.screenshot('palette-empty');
    await workbench.page.keyboard.press('Escape');
  });

  test('a sample is opened from a list, by keyboard', async () => {
    await workbench.untilDone(async () => {
      await workbench.run('Turnlens: Open Sample Trajectory');
      await workbench.quickEntry('two-hop.traj').waitFor(moment);
      await workbench.screenshot('samples');
      await workbench.page.keyboard.type('two-hop');
      await workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'two-hop.traj' }).waitFor(moment);
      await workbench.page.keyboard.press('Enter');
      await workbench.page.locator('.tab.active', { hasText: 'two-hop' }).waitFor(moment);
    });
    await workbench.lens('2 turns, not scored').waitFor();
  });

  test('progress counts turns, and can be cancelled', async () => {
    // So many that they are not scored before the button is reached.
    const lines = manyRollouts(100, 5).filter((line) => line.endsWith('}'));
    writeFileSync(path.join(workbench.folder, 'many.jsonl'), `${lines.join('\n')}\n`);
    await workbench.open('many.jsonl');
    await workbench.run('Turnlens: Re-score File');
    const progress = workbench.toast(new RegExp(`\\d+ of \\d+ turns in ${lines.length} rollouts`));
    await progress.waitFor();
    await workbench.screenshot('progress');
    await workbench.status(/scoring|loading/).waitFor();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
  });

  test('a folder that is no policy is one sentence, with a way out', async () => {
    const folder = path.join(workbench.folder, 'empty-policy');
    mkdirSync(folder);
    mkdirSync(path.join(workbench.folder, '.vscode'), { recursive: true });
    writeFileSync(path.join(workbench.folder, '.vscode', 'settings.json'), JSON.stringify({ 'turnlens.policy': folder }));
    await workbench.open('one-hop.traj');
    await workbench.status(/empty-policy/).waitFor();
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.toast(/holds no ONNX graph/).waitFor();
    await workbench.toast(/holds no ONNX graph/).getByRole('button', { name: 'Select Policy…' }).waitFor();
    await workbench.status(/empty-policy · failed/).waitFor();
    await workbench.screenshot('error');
  });

  test('a bad file is one sentence', async () => {
    writeFileSync(path.join(workbench.folder, 'zip.traj'), Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(64)]));
    const entry = workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'zip.traj' });
    await workbench.untilDone(() => workbench.menu(entry, /Re-score Trajectory/));
    await workbench.toast(/zip\.traj/).waitFor();
    await workbench.screenshot('bad-file');
  });
});
