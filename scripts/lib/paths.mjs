import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder; every other path hangs on it. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @param {string[]} parts of a path inside the repository */
export const inRoot = (...parts) => path.join(root, ...parts);

/** Downloads and throw-away profiles; git ignores it, deleting it costs a download. */
export const cache = inRoot('.vscode-test');

/** What a test run leaves behind: reports, screenshots, logs. */
export const results = inRoot('test-results');

/** @returns {{ name: string, version: string, publisher: string, engines: { vscode: string, node: string } }} */
export const manifest = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
