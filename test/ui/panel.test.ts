import { readFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { moment, Workbench } from './workbench';

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** What the page is told to wear. */
const worn = { dark: 'vscode-dark', light: 'vscode-light', contrast: 'vscode-high-contrast', 'contrast-light': 'vscode-high-contrast-light' };

describe('the panel and the Rollouts view', () => {
  let workbench: Workbench;
  /** Looked up anew whenever something is asked of it: VS Code puts another frame in the place of one that it draws anew. */
  let page: FrameLocator;
  const violations = async (): Promise<string[]> => {
    // The page's policy lets no other script in, so that axe comes through the debugger.
    await page.locator('html').evaluate(readFileSync(inRoot('node_modules', 'axe-core', 'axe.min.js'), 'utf8'));
    const { violations } = await page.locator('html').evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  };
  beforeAll(async () => {
    workbench = await Workbench.start();
    page = workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
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
    await page.locator('.steps').first().waitFor();
  });
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
    const grid = page.locator('vscode-data-grid').last();
    await workbench.untilDone(async () => {
      await grid.locator('vscode-data-grid-cell', { hasText: 'founder' }).first().click(moment);
      await grid.locator('vscode-data-grid-row[aria-selected=true]', { hasText: 'founder' }).waitFor(moment);
      await page.locator('[role=slider][aria-valuenow="1"]').first().waitFor(moment);
      await workbench.page.keyboard.press('ArrowDown');
      await workbench.page.keyboard.press('Enter');
      await page.locator('[role=slider][aria-valuenow="2"]').first().waitFor(moment);
    });
  });

  for (const theme of ['light', 'contrast', 'contrast-light', 'dark'] as const) {
    test(`is read by everybody in the ${theme} theme`, async () => {
      await workbench.theme(theme);
      await page.locator(`body[data-vscode-theme-kind=${worn[theme]}]`).waitFor();
      await page.locator('h1').scrollIntoViewIfNeeded();
      await workbench.screenshot(`panel-${theme}`);
      expect(await violations()).toEqual([]);
    });
  }

  test('comes back after a reload, with its figures and the chosen turn', async () => {
    await workbench.reload();
    await page.locator('.steps').first().waitFor();
    await expect.poll(() => page.getByRole('slider').first().getAttribute('aria-valuetext')).toContain('Turn 2');
    await workbench.screenshot('panel-reloaded');
  });
});
