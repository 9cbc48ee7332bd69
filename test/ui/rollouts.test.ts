import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manyRollouts } from '../support/manyRollouts';
import { Workbench } from './workbench';

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
  }, 180_000);
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
    await row(`500 rollouts · ${damaged} cannot be read`).waitFor({ timeout: 60_000 });
    await row('Records that cannot be read').waitFor();
    await row(/^2\/4 What is the home town of Company 3/).or(row(/^\d\/\d What is the home town of Company 3/)).first().waitFor();
    await workbench.page.locator('.activitybar .badge', { hasText: String(damaged) }).waitFor();
    // Once it is there, the view moves no more.
    await workbench.page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row.selected', { hasText: 'many.jsonl' }).waitFor();
  });

  test('is walked through with the keyboard', async () => {
    await workbench.run('Turnlens: Focus on Rollouts View');
    const at = (text: string): Promise<void> => workbench.page.locator('.tree-explorer-viewlet-tree-view .monaco-list-row.focused', { hasText: text }).waitFor();
    await press('Home');
    await at('500 rollouts');
    await press('ArrowDown');
    await at('Records that cannot be read');
    await press('ArrowDown');
    await at("Company 1's founder");
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
    await row('Records that cannot be read').click();
    const first = row(/#\d+\s*Line \d+/).first();
    await first.click();
    await workbench.page.locator('.tab.active', { hasText: 'many.jsonl' }).waitFor();
    const line = Number(/Line (\d+)/.exec(await first.innerText())?.[1]);
    await workbench.status(new RegExp(`^Ln ${line},`)).waitFor();
    await row('Records that cannot be read').click();
  });

  test('a question is scored with all its rollouts', async () => {
    const question = row(/Company 1's founder/).first();
    await question.click({ button: 'right' });
    await workbench.page.locator('.context-view .action-label', { hasText: /^Re-score$/ }).click();
    await row(/4 scored|5 scored/).first().waitFor({ timeout: 90_000 });
    await row(/Σr/).first().waitFor();
  });

  test('is filtered by what a rollout says, and shows all again', async () => {
    await workbench.run('Turnlens: Filter Rollouts by Text…');
    await workbench.page.locator('.quick-input-widget input[type=text]').fill('Company 42');
    await message().filter({ hasText: 'Filter: “Company 42”.' }).waitFor();
    await press('Enter');
    await row(/\d of 500 rollouts/).waitFor();
    await expect.poll(() => row(/\/\d What is/).count()).toBe(1);
    await workbench.screenshot('rollouts-filtered');
    await workbench.run('Turnlens: Show All Rollouts');
    await row('500 rollouts').first().waitFor();
    await message().filter({ hasText: 'Filter' }).waitFor({ state: 'detached' });
  });

  test('follows the file as it grows', async () => {
    appendFileSync(file(), `${manyRollouts(101, 1).at(-1)}\n`);
    await row('501 rollouts').waitFor({ timeout: 60_000 });
  });

  test('what was scored is still there', async () => {
    await row(/Company 1's founder/).first().click();
    await row(/Σr/).first().waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    await workbench.lens(/outcome/).first().waitFor();
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as const) {
    test(`looks right in the ${theme} theme`, async () => {
      await workbench.theme(theme);
      await row(/Σr/).first().hover();
      await workbench.screenshot(`rollouts-${theme}`, true);
    });
  }
});
