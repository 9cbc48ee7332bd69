import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moment, Workbench } from './workbench';

const titles = ['Open a trajectory', 'Re-score it', 'Read a spike', 'See all rollouts of a file', 'Look at the curve', 'Choose your policy'];

describe('the walkthrough', () => {
  let workbench: Workbench;
  const step = (title: string): Locator => workbench.page.locator('.getting-started-step', { hasText: title }).first();
  beforeAll(async () => {
    workbench = await Workbench.start();
    await workbench.run('Turnlens: Focus on Rollouts View');
    await workbench.untilDone(async () => {
      await workbench.page.locator('.welcome-view a', { hasText: 'Take the tour' }).click(moment);
      await step('Open a trajectory').waitFor(moment);
    });
    // A picture stands beside the steps where there is room for it.
    const sidebar = workbench.page.locator('.part.sidebar');
    await workbench.untilDone(async () => {
      if (await sidebar.isVisible()) await workbench.page.keyboard.press('Control+B');
      await sidebar.waitFor({ state: 'hidden', ...moment });
    });
  });
  afterAll(() => workbench?.close());

  test('has a step for each thing to do', async () => {
    const shown = await workbench.page.locator('.getting-started-step .step-title').allInnerTexts();
    expect(shown.map((title) => title.trim())).toEqual(titles);
  });

  for (const theme of ['dark', 'light', 'contrast', 'contrast-light'] as const) {
    test(`wears the ${theme} theme`, async () => {
      await workbench.theme(theme);
      const some = theme === 'dark' ? titles : ['Read a spike', 'See all rollouts of a file'];
      for (const title of some) {
        await step(title).click();
        await workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe#active-frame').locator('svg[aria-label]').first().waitFor();
        await workbench.screenshot(`walkthrough-${titles.indexOf(title) + 1}-${theme}`);
      }
    });
  }

  test('opens a sample', async () => {
    await workbench.untilDone(async () => {
      await step('Open a trajectory').click(moment);
      await workbench.page.locator('.getting-started-step.expanded a, .getting-started-step.expanded button', { hasText: 'Open a sample' }).first().click(moment);
      await workbench.page.locator('.tab.active', { hasText: '.traj' }).waitFor(moment);
    });
    await workbench.lens('3 turns, not scored').waitFor();
  });
});
