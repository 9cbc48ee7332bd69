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

/** How long VS Code may take for what is asked of it, in milliseconds: the machine may be slow, and have other work. */
export const patience = 90_000;
/** How long it may take for one attempt: what came in the way of it does not come in the way of the next. */
export const moment = { timeout: 10_000 };

/** What a window shows once it works. */
const shown = '.monaco-workbench .part.statusbar .statusbar-item';

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
    browser.page.setDefaultTimeout(patience);
    try {
      await browser.page.goto(served.address(folder, { skipWelcome: 'true' }));
      await browser.page.locator(shown).first().waitFor();
    } catch (e) {
      await close();
      throw e;
    }
    return new Workbench(browser.page, folder, close);
  }

  /**
   * Does what a user does, and all of it again until it is done. What comes up meanwhile, as a view that takes the focus, closes a quick input or
   * a menu, and gets the keys; and what VS Code draws anew goes from under the mouse.
   * @param attempt waits for its effect, no longer than a {@link moment} at each step; done twice it comes to the same
   */
  async untilDone(attempt: () => Promise<unknown>): Promise<void> {
    for (const end = Date.now() + patience; ; ) {
      try {
        await attempt();
        return;
      } catch (e) {
        if (Date.now() > end || this.page.isClosed()) throw e;
      }
    }
  }

  /** Opens a file of the folder through *Go to File*, and waits for its text. */
  async open(name: string): Promise<void> {
    const file = path.basename(name);
    await this.untilDone(async () => {
      await this.choose('Control+P', file, file);
      await this.page.locator('.tab.active', { hasText: file }).waitFor(moment);
      await this.page.locator('.editor-instance .view-line').first().waitFor(moment);
    });
  }

  /** Runs a command by its title in the palette. All of it again where the entry is not there: a new window knows the commands of its extensions a moment late. */
  async run(title: string): Promise<void> {
    await this.untilDone(() => this.choose('F1', `>${title}`, title));
  }

  /** Opens the quick input by a key, types into it and takes the entry of exactly this name. One attempt. */
  private async choose(key: string, text: string, name: string): Promise<void> {
    await this.ask(key, text);
    await this.take(this.quickEntry(name));
  }

  /** Opens the quick input by a key and types into it. One attempt. */
  async ask(key: string, text: string): Promise<void> {
    const input = this.page.locator(quickInput);
    // In an open one the same key would choose another entry.
    if (await input.isVisible()) await this.page.keyboard.press('Escape');
    await this.page.keyboard.press(key);
    await input.fill(text, moment);
  }

  /** Takes an entry that is in sight. Found and clicked in one: the list gives its rows to other entries as they come, and closes with the focus. One attempt. */
  async take(entry: Locator): Promise<void> {
    await entry.filter({ visible: true }).dispatchEvent('click', undefined, moment);
  }

  /** The entry of the palette or of a pick list that has exactly this name; the first in the list is not always it. */
  quickEntry(name: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ has: this.page.getByText(name, { exact: true }) }).first();
  }

  /** Takes an entry of the context menu of what is pointed at. One attempt. */
  async menu(of: Locator, entry: RegExp): Promise<void> {
    const entries = this.page.locator('.context-view .action-label');
    // An open menu is in the way of what is pointed at.
    if (await entries.first().isVisible()) await this.page.keyboard.press('Escape');
    await of.click({ button: 'right', ...moment });
    await entries.filter({ hasText: entry }).click(moment);
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
    await this.untilDone(async () => {
      await this.page.keyboard.press('Control+1');
      await this.hasFocus();
    });
  }

  private async hasFocus(): Promise<void> {
    await this.page.locator('.editor-group-container.active .editor-instance .monaco-editor.focused').waitFor(moment);
  }

  /** Moves the cursor of the first column's editor to a line, counted from 1, and scrolls it into view. The editor has the focus then. */
  async goToLine(line: number, column = 1): Promise<void> {
    await this.untilDone(async () => {
      await this.page.keyboard.press('Control+1');
      await this.hasFocus();
      await this.ask('Control+G', `:${line}:${column}`);
      await this.take(this.page.locator('.quick-input-list .monaco-list-row', { hasText: `line ${line} at column ${column}.` }));
      await this.page.locator(quickInput).waitFor({ state: 'hidden', ...moment });
      await this.status(`Ln ${line}, Col ${column}`).waitFor(moment);
      await this.hasFocus();
    });
  }

  /** Points at the start of a text in the editor and returns what its hover says, once it says something that is looked for. */
  async hover(text: string, says: string): Promise<string> {
    const hover = this.page.locator('.monaco-resizable-hover .monaco-hover:not(.hidden) .hover-contents, .monaco-hover.monaco-editor-hover:not(.hidden) .hover-contents');
    await this.untilDone(async () => {
      const at = await this.startOf(text);
      // A hover opens when the mouse comes to rest, not where it already is.
      await this.page.mouse.move(at.x + 40, at.y + 60);
      await this.page.mouse.move(at.x, at.y, { steps: 4 });
      await hover.filter({ hasText: says }).first().waitFor(moment);
    });
    return (await hover.allInnerTexts()).join('\n');
  }

  /** Where the first letter of a text stands in the window. */
  private async startOf(text: string): Promise<{ x: number; y: number }> {
    return this.line(text).evaluate((line, wanted) => {
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
    }, text, moment);
  }

  /** Reloads the window as a user does, so that it writes down what it shows before it goes. */
  async reload(): Promise<void> {
    await this.page.evaluate(() => void Object.assign(globalThis, { turnlensBeforeReload: true }));
    const isGone = (): boolean => !('turnlensBeforeReload' in globalThis);
    await this.untilDone(async () => {
      if (await this.page.evaluate(isGone)) return;
      await this.choose('F1', '>Developer: Reload Window', 'Developer: Reload Window');
      await this.page.waitForFunction(isGone, undefined, { timeout: 30_000 });
    });
    await this.page.locator(shown).first().waitFor();
  }

  /** Changes the colour theme as a user does: the workbench does not see every change of its settings file. */
  async theme(name: ThemeName): Promise<void> {
    const { label, worn } = themes[name];
    await this.untilDone(async () => {
      await this.choose('F1', '>Preferences: Color Theme', 'Preferences: Color Theme');
      const input = this.page.locator('.quick-input-widget input[placeholder*="Color Theme"]');
      await input.fill(label, moment);
      await this.take(this.quickEntry(label));
      // While the list is there, a theme is only tried on.
      await input.waitFor({ state: 'hidden', ...moment });
      await this.page.locator(`.monaco-workbench.${worn}`).waitFor(moment);
    });
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
