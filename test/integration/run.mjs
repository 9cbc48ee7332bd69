// Runs the built integration suite in a real extension host: desktop VS Code where it can be had, else the server with its web workbench.
// usage: node test/integration/run.mjs   TURNLENS_TEST_HOST=desktop|server  TURNLENS_TEST_GREP=…
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot, results, root } from '../../scripts/lib/paths.mjs';
import { Refusal, runMain, say } from '../../scripts/lib/say.mjs';
import { copySamples } from '../../scripts/lib/workspace.mjs';
import { runOnDesktop } from './hosts/desktop.mjs';
import { runInServer } from './hosts/server.mjs';

/** @typedef {import('./report').Report} Report */
/** @typedef {import('./hosts/suite').Suite} Suite */

const hosts = { desktop: runOnDesktop, server: runInServer };
const limitMs = 20 * 60_000;

await runMain(async () => {
  const wanted = process.env['TURNLENS_TEST_HOST'];
  if (wanted && !Object.hasOwn(hosts, wanted)) throw new Refusal(`TURNLENS_TEST_HOST is desktop or server, not ${wanted}.`);
  const reportFile = path.join(results, 'integration.json');
  mkdirSync(results, { recursive: true });
  rmSync(reportFile, { force: true });
  const workspace = mkdtempSync(path.join(os.tmpdir(), 'turnlens-suite-'));
  copySamples(workspace);
  /** @type {Suite} */
  const suite = {
    extension: root,
    tests: inRoot('out', 'integration', 'index.js'),
    workspace,
    env: { TURNLENS_TEST_REPORT: reportFile },
    limitMs,
  };
  try {
    const trouble = await runSuite(suite, wanted, reportFile);
    return judge(readReport(reportFile), trouble);
  } finally {
    rmSync(workspace, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});

/** @param {Suite} suite @param {string | undefined} wanted @param {string} reportFile @returns {Promise<string | undefined>} what the host said when it failed */
async function runSuite(suite, wanted, reportFile) {
  if (wanted !== 'server') {
    const trouble = await runOnDesktop(suite);
    // A suite that began has said all there is to say; one that never began is the host's failure.
    if (wanted === 'desktop' || existsSync(reportFile)) return trouble;
    say(`Desktop VS Code is not to be had here (${trouble ?? 'it ended without running anything'}); the suite runs in the VS Code server instead.`);
  }
  return runInServer(suite);
}

/** @param {Report | undefined} report @param {string | undefined} trouble @returns {number} exit code */
function judge(report, trouble) {
  if (!report) throw new Refusal(`The integration suite never ran: ${trouble ?? 'the extension host ended without a report'}.`);
  if (!report.finished) throw new Refusal(`The extension host ended in “${report.current}”: ${trouble ?? 'it died'}.`);
  say(`integration: ${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`);
  if (report.passed + report.failed === 0) throw new Refusal('The integration suite executed no test.');
  return report.failed === 0 ? 0 : 1;
}

/** @param {string} file @returns {Report | undefined} */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
