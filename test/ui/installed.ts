import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { installVsix } from '../../scripts/lib/serve.mjs';
import { vsixFile } from '../../scripts/lib/vsix.mjs';
import { ensureVsCodeServer } from '../../scripts/lib/vscodeServer.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** A fresh extensions folder in which the packaged extension is installed, and nothing else. */
    extensionsFolder: string;
  }
}

/** Installs the package once for all UI tests: what they look at is what a user gets. */
export async function setup(project: TestProject): Promise<() => void> {
  if (!existsSync(vsixFile())) throw new Error('There is no package to test: npm run package');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'turnlens-extensions-'));
  await installVsix(await ensureVsCodeServer(), vsixFile(), folder);
  project.provide('extensionsFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
