import util from 'node:util';
import { ensureChromium } from '../../../scripts/lib/chromium.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { ensureVsCodeServer } from '../../../scripts/lib/vscodeServer.mjs';
import { openPage } from '../../ui/browser.mjs';

/**
 * Runs the suite in the extension host of a VS Code server, with a headless Chromium as its workbench.
 * @param {import('./suite').Suite} suite
 * @returns {Promise<string | undefined>} what went wrong, undefined where nothing did
 */
export async function runInServer(suite) {
  const chromium = await ensureChromium();
  // The smoke-test driver is what lets a web workbench report the end of a suite.
  const served = await serve(await ensureVsCodeServer(), { args: ['--enable-smoke-test-driver'], env: { ...suite.env } });
  const { page, close } = await openPage(chromium, served.host);
  let timer;
  try {
    const exit = await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no result within ${suite.limitMs / 1000} s`)), suite.limitMs);
      page.on('crash', () => reject(new Error('the browser page crashed')));
      page.exposeFunction('codeAutomationExit', resolve)
        .then(() => page.exposeFunction('codeAutomationLog', (/** @type {string} */ _type, /** @type {unknown[]} */ args) => print(util.format(...args))))
        .then(() => page.goto(served.address(suite.workspace, {
          extensionDevelopmentPath: served.uri(suite.extension),
          extensionTestsPath: served.uri(suite.tests),
          skipWelcome: 'true',
        })))
        .catch(reject);
    });
    const death = /Extension Host Process exited with code: (?!0,)[^.\n]*/.exec(served.log());
    return death?.[0] ?? (exit === 0 ? undefined : `the suite ended with code ${exit}`);
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n${served.log().slice(-2_000)}`;
  } finally {
    clearTimeout(timer);
    await close();
    await served.stop();
  }
}

/** @param {string} text the workbench's log, in which the suite's lines carry a mark */
function print(text) {
  for (const line of text.split('\n')) if (line.startsWith('[test] ')) console.log(line.slice(7));
}
