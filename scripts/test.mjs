// Everything that has to hold, in one run: static checks, unit and golden tests, the package, the integration suite and the UI tests.
// Installs what it needs first. The last line counts all of it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureNpmPackages } from './lib/npmPackages.mjs';
import { inRoot, results } from './lib/paths.mjs';
import { run } from './lib/processes.mjs';
import { Refusal, runMain, say } from './lib/say.mjs';
import { ensureVsCodeServer, whyNoVsCodeServer } from './lib/vscodeServer.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ name: string, command: string, args: string[], counts?: () => Counts | undefined, needs?: string }} Step `needs`: a step without which this one says nothing */

const node = process.execPath;
const report = (/** @type {string} */ name) => path.join(results, `${name}.json`);
const vitest = (/** @type {string} */ name, /** @type {string[]} */ ...args) => [
  inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report(name)}`,
];

/** @type {Step[]} */
const steps = [
  { name: 'lint', command: node, args: [inRoot('node_modules', 'eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0'] },
  { name: 'types', command: node, args: [inRoot('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit'] },
  { name: 'types of the UI tests', command: node, args: [inRoot('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', 'test/ui'] },
  { name: 'build', command: node, args: ['scripts/build.mjs', '--tests'] },
  { name: 'unit and golden tests', command: node, args: vitest('unit'), counts: () => vitestCounts('unit'), needs: 'build' },
  { name: 'package', command: node, args: ['scripts/package.mjs'], needs: 'build' },
  { name: 'integration suite', command: node, args: ['test/integration/run.mjs'], counts: integrationCounts, needs: 'build' },
  { name: 'UI tests', command: node, args: vitest('ui', '--config', 'vitest.ui.config.ts'), counts: () => vitestCounts('ui'), needs: 'package' },
];

await runMain(async () => {
  await ensureNpmPackages();
  const noWorkbench = await prepareWorkbench();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const summary = [];
  const broken = new Set();
  for (const step of steps) {
    if (step.name === 'UI tests' && noWorkbench) {
      summary.push(`-  ${step.name}: not run. ${noWorkbench}`);
      continue;
    }
    const { counts, seconds } = broken.has(step.needs) ? { counts: failedOnce, seconds: 0 } : await runStep(step);
    if (counts.failed > 0) broken.add(step.name);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    summary.push(`${counts.failed > 0 ? '✗' : '✓'}  ${step.name}: ${describe(counts)}${broken.has(step.needs) ? ` (not run, as ${step.needs} failed)` : ` (${seconds} s)`}`);
  }
  console.log(`\n${summary.join('\n')}\n\n${describe(total)}`);
  return total.failed === 0 ? 0 : 1;
});

/** Installs what the workbench of the tests needs. @returns {Promise<string | undefined>} why there is none here, as a sentence */
async function prepareWorkbench() {
  const refusal = whyNoVsCodeServer();
  // Elsewhere the integration suite has desktop VS Code, and the UI tests have nothing.
  if (refusal) return refusal;
  await ensureVsCodeServer();
  await ensureChromium();
  return undefined;
}

/** @type {Counts} */
const failedOnce = { passed: 0, failed: 1, skipped: 0 };

/** A step without tests counts as one check. @param {Step} step @returns {Promise<{ counts: Counts, seconds: number }>} */
async function runStep({ name, command, args, counts }) {
  say(`\n── ${name}`);
  const began = Date.now();
  const { code } = await run(command, args);
  const seconds = Math.round((Date.now() - began) / 1_000);
  if (!counts) return { counts: code === 0 ? { passed: 1, failed: 0, skipped: 0 } : failedOnce, seconds };
  const counted = counts();
  if (!counted || counted.passed + counted.failed === 0) say(`${name} ran no test.`);
  // A failure outside any single test (a hook, a host that died) shows in the exit code alone.
  const failed = Math.max(counted?.failed ?? 0, code === 0 && counted && counted.passed > 0 ? 0 : 1);
  return { counts: { passed: counted?.passed ?? 0, failed, skipped: counted?.skipped ?? 0 }, seconds };
}

/** @param {string} name @returns {Counts | undefined} */
function vitestCounts(name) {
  const read = readReport(name);
  return read && { passed: read['numPassedTests'] ?? 0, failed: read['numFailedTests'] ?? 0, skipped: (read['numPendingTests'] ?? 0) + (read['numTodoTests'] ?? 0) };
}

/** @returns {Counts | undefined} */
function integrationCounts() {
  const read = readReport('integration');
  return read && { passed: read['passed'] ?? 0, failed: read['failed'] ?? 0, skipped: read['skipped'] ?? 0 };
}

/** @param {string} name @returns {Record<string, number> | undefined} */
function readReport(name) {
  if (!existsSync(report(name))) return undefined;
  try {
    return JSON.parse(readFileSync(report(name), 'utf8'));
  } catch (error) {
    throw new Refusal(`${report(name)} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** @param {Counts} counts */
function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
