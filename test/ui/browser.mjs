import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * A headless page that reaches one host and nothing else, so that no stray request slows the workbench down.
 * @param {string} executablePath
 * @param {string} host authority it may talk to
 * @param {{ width: number, height: number }} [viewport]
 */
export async function openPage(executablePath, host, viewport = { width: 1280, height: 800 }) {
  const browser = await chromium.launch({ executablePath, headless: true, args: flags });
  const context = await browser.newContext({ viewport });
  await context.route((url) => /^https?:$/.test(url.protocol) && url.host !== host, (route) => route.abort());
  return { page: await context.newPage(), close: () => browser.close() };
}
