import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { npmCommand, runOrRefuse } from './processes.mjs';
import { say } from './say.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean }>} Packages */

/** Installs the npm packages that the lock file names, unless exactly those are there. */
export async function ensureNpmPackages() {
  if (isInstalled()) return;
  say('Installing the npm packages (npm ci) …');
  await runOrRefuse(...npmCommand(['ci', '--no-audit', '--no-fund', '--loglevel=error']), 'The npm packages could not be installed');
}

function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  // An optional package of another platform is named in the lock file and never installed.
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === '' || present[name]?.version === version || (optional && !present[name]),
  );
}

/** @param {string} file a lock file; npm keeps a second one of what it really installed @returns {Packages} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(inRoot(file), 'utf8')).packages;
  } catch {
    return {};
  }
}
