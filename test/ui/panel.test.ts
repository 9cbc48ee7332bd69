import { readFileSync } from 'node:fs';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { Workbench } from './workbench';

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

describe('the panel and the Rollouts view', () => {
  let workbench: Workbench;
  let page: Frame;
  const shownPage = async (): Promise<Frame> => {
    const outer = await (await workbench.page.waitForSelector('iframe.webview.ready', { timeout: 90_000 })).contentFrame();
    const inner = await (await outer?.waitForSelector('iframe#active-frame'))?.contentFrame();
    if (!inner) throw new Error('The panel has no page.');
    await inner.waitForSelector('.steps', { timeout: 90_000 });
    return inner;
  };
  const violations = async (): Promise<string[]> => {
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  };
  beforeAll(async () => {
    workbench = await Workbench.start();
    await workbench.open('group.jsonl');
    await workbench.run('Turnlens: Show in Rollouts');
    // Once it is there, the view takes the focus no more.
    await workbench.page.locator('.pane-body .monaco-list-row.selected', { hasText: 'group.jsonl' }).waitFor();
    await workbench.page.locator('.pane-body .monaco-list-row', { hasText: '5 rollouts' }).first().waitFor();
    await workbench.run('Turnlens: Open Transcript');
    await workbench.lens('2 turns, not scored').waitFor();
    await workbench.run('Turnlens: Re-score Trajectory');
    await workbench.lens('▲').first().waitFor();
    await workbench.run('Turnlens: Open Panel');
    page = await shownPage();
  }, 180_000);
  afterAll(() => workbench?.close());

  test('draws a staircase and writes it as a table', async () => {
    expect(await page.locator('h2').allInnerTexts()).toEqual(['Answerability γ and process reward r', 'Gain Δ, nats a token', 'Gated advantage Ã']);
    const text = await page.locator('vscode-data-grid').first().innerText();
    for (const part of ['Ravbrook', '+0.50', '1.00']) expect(text).toContain(part);
  });

  test('arrow keys choose a turn, and the editor follows', async () => {
    const plot = page.getByRole('slider').first();
    await plot.focus();
    await plot.press('End');
    await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain('Turn 2: answerability 1.00');
    // The status bar names the cursor's line only while the editor has the focus.
    await workbench.focusEditor();
    await expect.poll(() => workbench.status(/^Ln \d+/).first().innerText()).not.toBe('Ln 1, Col 1');
  });

  test('the cursor chooses a turn, and the plots follow', async () => {
    const plot = page.getByRole('slider').first();
    await workbench.goToLine(9);
    await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain('Turn 1: answerability 0.00');
    await workbench.goToLine(17);
    await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain('Turn 2: answerability 1.00');
    await expect.poll(() => page.locator('vscode-data-grid-row.selected').allInnerTexts()).toHaveLength(2);
  });

  test('Enter on a row of the table chooses its turn', async () => {
    await page.locator('vscode-data-grid').last().locator('vscode-data-grid-cell', { hasText: 'founder' }).first().click();
    await page.locator('vscode-data-grid').last().locator('vscode-data-grid-row[aria-selected=true]', { hasText: 'founder' }).waitFor();
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('slider').first().getAttribute('aria-valuenow')).toBe('2');
  });

  for (const theme of ['light', 'contrast', 'contrast-light', 'dark'] as const) {
    test(`is read by everybody in the ${theme} theme`, async () => {
      await workbench.theme(theme);
      // The page's policy lets no other script in, so that axe comes through the debugger.
      await page.evaluate(readFileSync(inRoot('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
      await page.locator('h1').scrollIntoViewIfNeeded();
      await workbench.screenshot(`panel-${theme}`);
      expect(await violations()).toEqual([]);
    });
  }

  test('comes back after a reload, with its figures and the chosen turn', async () => {
    await workbench.reload();
    page = await shownPage();
    await expect.poll(() => page.getByRole('slider').first().getAttribute('aria-valuetext')).toContain('Turn 2');
    await workbench.screenshot('panel-reloaded');
  });
});
