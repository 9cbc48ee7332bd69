import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SilentReporter, downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { cache } from '../../../scripts/lib/paths.mjs';
import { say } from '../../../scripts/lib/say.mjs';

/**
 * Runs the suite in desktop VS Code, downloaded once.
 * @param {import('./suite').Suite} suite
 * @returns {Promise<string | undefined>} what went wrong, undefined where nothing did
 */
export async function runOnDesktop(suite) {
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display; xvfb-run gives one';
  const profile = mkdtempSync(path.join(os.tmpdir(), 'turnlens-desktop-'));
  try {
    say('Fetching desktop VS Code for the integration suite …');
    const vscodeExecutablePath = await downloadAndUnzipVSCode({
      version: process.env['VSCODE_VERSION'] ?? 'stable',
      cachePath: cache,
      timeout: 30_000,
      reporter: new SilentReporter(),
    });
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: suite.extension,
      extensionTestsPath: suite.tests,
      extensionTestsEnv: { ...suite.env },
      launchArgs: [
        suite.workspace,
        ...['--disable-workspace-trust', '--disable-extensions', '--skip-welcome', '--disable-gpu'],
        ...['--user-data-dir', profile],
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
