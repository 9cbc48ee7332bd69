import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { openPage } from './browser.mjs';
import { patience } from './workbench';

describe('npm start, in the browser', () => {
  let started: ChildProcess;
  let ended: Promise<unknown>;
  let address: URL;

  beforeAll(async () => {
    started = spawn(process.execPath, [inRoot('scripts', 'start.mjs'), '--browser', '--no-open'], { stdio: ['ignore', 'ignore', 'pipe'] });
    ended = new Promise((resolve) => started.once('exit', resolve));
    let said = '';
    started.stderr?.on('data', (text) => (said += text));
    address = await vi.waitFor(() => new URL(/^ {2}(http:\S+)$/m.exec(said)?.[1] ?? ''), { timeout: 150_000, interval: 200 });
  });
  afterAll(async () => {
    started.kill('SIGTERM');
    await ended;
  });

  test('serves to this machine alone, and to nobody without the token', async () => {
    expect(address.hostname).toBe('127.0.0.1');
    expect((await fetch(address.origin)).status).toBe(403);
  });

  test('shows a sample, scored without a click', async () => {
    const { page, close } = await openPage(await ensureChromium(), address.host);
    try {
      page.setDefaultTimeout(patience);
      await page.goto(address.href);
      await page.locator('.codelens-decoration a', { hasText: '▼' }).first().waitFor();
    } finally {
      await close();
    }
  });

  test('ends with Ctrl+C, and leaves nothing behind', async () => {
    started.kill('SIGINT');
    await ended;
    await expect.poll(() => fetch(address.origin).then(() => 'still there', () => 'gone')).toBe('gone');
  });
});
