import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * A headless page that reaches one host and nothing else, so that no stray request slows the workbench down. The browser knows no other name:
 * to look at every request on its way would slow the workbench down as well, and keep its scripts out of the browser's cache.
 * @param {string} executablePath
 * @param {string} host authority it may talk to
 * @param {{ width: number, height: number }} [viewport]
 */
export async function openPage(executablePath, host, viewport = { width: 1280, height: 800 }) {
  const args = [...flags, `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host.split(':')[0]}`];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  const context = await browser.newContext({ viewport });
  return { page: await context.newPage(), close: () => browser.close() };
}
