import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { inject } from 'vitest';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { results } from '../../scripts/lib/paths.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { ensureVsCodeServer } from '../../scripts/lib/vscodeServer.mjs';
import { copySamples } from '../../scripts/lib/workspace.mjs';
import { openPage } from './browser.mjs';

/** The built-in themes, with the class that the workbench wears in each. */
const themes = {
  dark: { label: 'Dark Modern', worn: 'vs-dark' },
  light: { label: 'Light Modern', worn: 'vs' },
  contrast: { label: 'Dark High Contrast', worn: 'hc-black' },
  'contrast-light': { label: 'Light High Contrast', worn: 'hc-light' },
} as const;

export type ThemeName = keyof typeof themes;

const quickInput = '.quick-input-widget .quick-input-box input[type=text]';

/** A window of the real VS Code with the installed extension, on a folder of its own that holds copies of the samples. */
export class Workbench {
  private constructor(
    readonly page: Page,
    /** The opened folder. */
    readonly folder: string,
    /** Ends the window, its server and the folder. */
    readonly close: () => Promise<void>,
  ) {}

  /** @param settings user settings; the minimap is off by default, as it hides text in a narrow window */
  static async start(settings: Record<string, unknown> = {}): Promise<Workbench> {
    const around = mkdtempSync(path.join(os.tmpdir(), 'turnlens-ui-'));
    const folder = path.join(around, 'trajectories');
    copySamples(folder);
    const served = await serve(await ensureVsCodeServer(), {
      extensionsFolder: inject('extensionsFolder'),
      settings: { 'workbench.colorTheme': themes.dark.label, 'editor.minimap.enabled': false, ...settings },
    });
    const browser = await openPage(await ensureChromium(), served.host);
    const close = async (): Promise<void> => {
      await browser.close();
      await served.stop();
      rmSync(around, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    };
    await browser.page.goto(served.address(folder, { skipWelcome: 'true' }));
    await browser.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
    return new Workbench(browser.page, folder, close);
  }

  /** Opens a file of the folder through *Go to File*, and waits for its text. */
  async open(name: string): Promise<void> {
    const file = path.basename(name);
    await this.choose('Control+P', file, file);
    await this.page.locator('.tab.active', { hasText: file }).waitFor();
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  /** Runs a command by its title in the palette. */
  async run(title: string): Promise<void> {
    await this.choose('F1', `>${title}`, title);
  }

  /**
   * Opens the quick input by a key, types into it and takes the entry of exactly this name. All of it again where the entry is not there: a new
   * window knows the commands of its extensions a moment late, and what takes the focus meanwhile, as a view that was asked for, closes the input.
   */
  private async choose(key: string, text: string, name: string): Promise<void> {
    await this.untilDone(async () => {
      await this.ask(key, text);
      await this.quickEntry(name).click({ timeout: 5000 });
    });
  }

  /** Opens the quick input by a key and types into it. */
  private async ask(key: string, text: string): Promise<void> {
    const input = this.page.locator(quickInput);
    // In an open one the same key would choose another entry.
    if (await input.isVisible()) await this.page.keyboard.press('Escape');
    await this.page.keyboard.press(key);
    await input.fill(text, { timeout: 5000 });
  }

  private async untilDone(attempt: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (e) {
        if (tries === 6) throw e;
      }
    }
  }

  /** Types into the open quick input and takes the entry of exactly this name. */
  async pick(name: string): Promise<void> {
    await this.page.locator(quickInput).fill(name);
    await this.quickEntry(name).click();
  }

  /** The entry of the palette or of a pick list that has exactly this name; the first in the list is not always it. */
  quickEntry(name: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ has: this.page.getByText(name, { exact: true }) }).first();
  }

  /** A code lens in the active editor. */
  lens(text: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: text });
  }

  /** A notification toast. */
  toast(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** An item of the status bar. */
  status(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  /** A line of text in the active editor, as far as it is scrolled into view. */
  line(text: string): Locator {
    return this.page.locator('.editor-instance .view-line', { hasText: text }).first();
  }

  /** What decorations write after lines of text: no element holds it, only a style does. */
  async inlineTexts(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.view-line span[class*="ced-"]')]
        .map((span) => getComputedStyle(span, '::after').content)
        .filter((content) => content !== 'none' && content !== 'normal' && content !== '""')
        .map((content) => content.replace(/^"|"$/g, '').replace(/\u00a0/g, ' ').trim()),
    );
  }

  /** Gives the focus to the editor of the first column: keys that come before it has it go where it was, as to a page of a panel, which hands them on later. */
  async focusEditor(): Promise<void> {
    const focused = this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused');
    await this.untilDone(async () => {
      await this.page.keyboard.press('Control+1');
      await focused.waitFor({ timeout: 5000 });
    });
  }

  /** Moves the cursor of the first column's editor to a line, counted from 1, and scrolls it into view. */
  async goToLine(line: number, column = 1): Promise<void> {
    await this.focusEditor();
    await this.untilDone(() => this.ask('Control+G', `:${line}:${column}`));
    await this.page.keyboard.press('Enter');
    // Until it is gone, it takes the keys that are meant for the editor.
    await this.page.locator(quickInput).waitFor({ state: 'hidden' });
  }

  /** Points at the start of a text in the editor and returns what its hover says. */
  async hover(text: string): Promise<string> {
    const at = await this.line(text).evaluate((line, wanted) => {
      const whole = (line.textContent ?? '').replace(/\u00a0/g, ' ');
      let before = whole.indexOf(wanted);
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const length = node.textContent?.length ?? 0;
        if (before < length) {
          const range = document.createRange();
          range.setStart(node, before);
          range.setEnd(node, before + 1);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
        before -= length;
      }
      throw new Error(`${wanted} is not in the line`);
    }, text);
    // A hover opens when the mouse comes to rest, not where it already is.
    await this.page.mouse.move(at.x + 40, at.y + 60);
    await this.page.mouse.move(at.x, at.y, { steps: 4 });
    const hover = this.page.locator('.monaco-resizable-hover .monaco-hover:not(.hidden) .hover-contents, .monaco-hover.monaco-editor-hover:not(.hidden) .hover-contents');
    await hover.first().waitFor();
    return (await hover.allInnerTexts()).join('\n');
  }

  /** Reloads the window as a user does, so that it writes down what it shows before it goes. */
  async reload(): Promise<void> {
    const mark = { turnlensBeforeReload: true };
    await this.page.evaluate((marked) => Object.assign(globalThis, marked), mark);
    await this.run('Developer: Reload Window');
    await this.page.waitForFunction(() => !('turnlensBeforeReload' in globalThis), undefined, { timeout: 90_000 });
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: 90_000 });
  }

  /** Changes the colour theme as a user does: the workbench does not see every change of its settings file. */
  async theme(name: ThemeName): Promise<void> {
    await this.untilDone(async () => {
      await this.run('Preferences: Color Theme');
      await this.page.locator('.quick-input-widget input[placeholder*="Color Theme"]').fill(themes[name].label, { timeout: 5000 });
      await this.quickEntry(themes[name].label).click({ timeout: 5000 });
    });
    await this.page.locator(`.monaco-workbench.${themes[name].worn}`).waitFor();
  }

  /** A picture of the window in test-results/screenshots. @param keepsMouse what the mouse is over belongs to the picture */
  async screenshot(name: string, keepsMouse = false): Promise<void> {
    const folder = path.join(results, 'screenshots');
    mkdirSync(folder, { recursive: true });
    // What the palette left the mouse on would show its tooltip.
    if (!keepsMouse) await this.page.mouse.move(400, 795);
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
}
