import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manyRollouts } from '../support/manyRollouts';
import { moment, Workbench } from './workbench';

const lines = manyRollouts(100, 5);
const damaged = lines.filter((line) => !line.endsWith('}')).length;

describe('the Rollouts view with 500 rollouts', () => {
  let workbench: Workbench;
  const row = (text: string | RegExp): Locator => workbench.page.locator('.pane-body .tree-explorer-viewlet-tree-view .monaco-list-row', { hasText: text });
  const message = (): Locator => workbench.page.locator('.tree-explorer-viewlet-tree-view .message');
  const file = (): string => path.join(workbench.folder, 'many.jsonl');
  const press = (key: string): Promise<void> => workbench.page.keyboard.press(key);
  beforeAll(async () => {
    workbench = await Workbench.start();
  });
  afterAll(() => workbench?.close());

  test('an empty view says what comes here, and how', async () => {
    await workbench.run('Turnlens: Focus on Rollouts View');
    await workbench.page.locator('.welcome-view', { hasText: 'Find Rollouts in Workspace' }).waitFor();
    await workbench.screenshot('rollouts-empty');
  });

  test('lists a file: its questions with how many are right, its damaged records first', async () => {
    writeFileSync(file(), `${lines.join('\n')}\n`);
    await workbench.open('many.jsonl');
    await workbench.run('Turnlens: Show in Rollouts');
    await row(`500 rollouts · ${damaged} cannot be read`).waitFor();
    await row('Records that cannot be read').waitFor();
    await row(/^2\/4 What is the home town of Company 3/).or(row(/^\d\/\d What is the home town of Company 3/)).first().waitFor();
    await workbench.page.locator('.activitybar .badge', { hasText: String(damaged) }).waitFor();
    // Once it is there, the view moves no more.
    await workbench.page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row.selected', { hasText: 'many.jsonl' }).waitFor();
  });

  test('is walked through with the keyboard', async () => {
    const at = (text: string): Promise<void> => workbench.page.locator('.tree-explorer-viewlet-tree-view .monaco-list:focus-within .monaco-list-row.focused', { hasText: text }).waitFor(moment);
    await workbench.untilDone(async () => {
      await workbench.run('Turnlens: Focus on Rollouts View');
      await press('Home');
      await at('500 rollouts');
      await press('ArrowDown');
      await at('Records that cannot be read');
      await press('ArrowDown');
      await at("Company 1's founder");
    });
    await press('ArrowRight');
    await row('#0 (no answer)').waitFor();
    await press('ArrowDown');
    await at('#0 (no answer)');
    await press('Enter');
    await workbench.lens(/turns?, not scored/).waitFor();
    await workbench.page.locator('.tab.active', { hasText: /many\.jsonl · record \d+\.transcript/ }).waitFor();
    await workbench.screenshot('rollouts-keyboard');
  });

  test('a record that cannot be read opens as it is written', async () => {
    const first = row(/#\d+\s*Line \d+/).first();
    await workbench.untilDone(async () => {
      if (!(await first.isVisible())) await row('Records that cannot be read').click(moment);
      await first.waitFor(moment);
    });
    const line = Number(/Line (\d+)/.exec(await first.innerText())?.[1]);
    await workbench.untilDone(async () => {
      await first.click(moment);
      await workbench.page.locator('.tab.active', { hasText: 'many.jsonl' }).waitFor(moment);
      await workbench.status(new RegExp(`^Ln ${line},`)).waitFor(moment);
    });
    await workbench.untilDone(async () => {
      if (await first.isVisible()) await row('Records that cannot be read').click(moment);
      await first.waitFor({ state: 'hidden', ...moment });
    });
  });

  test('a question is scored with all its rollouts', async () => {
    await workbench.untilDone(() => workbench.menu(row(/Company 1's founder/).first(), /^Re-score$/));
    await row(/4 scored|5 scored/).first().waitFor();
    await row(/Σr/).first().waitFor();
  });

  test('is filtered by what a rollout says, and shows all again', async () => {
    const input = workbench.page.locator('.quick-input-widget input[placeholder^="In the question"]');
    const filtered = message().filter({ hasText: 'Filter: “Company 42”.' });
    await workbench.untilDone(async () => {
      await workbench.run('Turnlens: Filter Rollouts by Text…');
      await input.fill('Company 42', moment);
      await filtered.waitFor(moment);
      await input.press('Enter', moment);
      await input.waitFor({ state: 'hidden', ...moment });
      await filtered.waitFor(moment);
    });
    await row(/\d of 500 rollouts/).waitFor();
    await expect.poll(() => row(/\/\d What is/).count()).toBe(1);
    await workbench.screenshot('rollouts-filtered');
    await workbench.run('Turnlens: Show All Rollouts');
    await row('500 rollouts').first().waitFor();
    await message().filter({ hasText: 'Filter' }).waitFor({ state: 'detached' });
  });

  test('follows the file as it grows', async () => {
    appendFileSync(file(), `${manyRollouts(101, 1).at(-1)}\n`);
    await row('501 rollouts').waitFor();
  });

  test('what was scored is still there', async () => {
    const scored = row(/Σr/).first();
    await workbench.untilDone(async () => {
      if (!(await scored.isVisible())) await row(/Company 1's founder/).first().click(moment);
      await scored.waitFor(moment);
    });
    await workbench.untilDone(async () => {
      await scored.click(moment);
      await workbench.lens(/outcome/).first().waitFor(moment);
    });
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as const) {
    test(`looks right in the ${theme} theme`, async () => {
      await workbench.theme(theme);
      await row(/Σr/).first().hover();
      await workbench.screenshot(`rollouts-${theme}`, true);
    });
  }
});
