import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** The sample that a first look opens: its last search turn does harm, and its lens says so. */
export const firstSample = 'harmful-turn.traj';

/**
 * Makes a folder with copies of the samples. A copy that is there already is left as it is: it may have been edited.
 * @param {string} folder
 * @param {Record<string, unknown>} [settings] of this workspace
 */
export function copySamples(folder, settings) {
  mkdirSync(folder, { recursive: true });
  const samples = inRoot('media', 'samples');
  for (const name of readdirSync(samples)) {
    const copy = path.join(folder, name);
    if (!existsSync(copy)) cpSync(path.join(samples, name), copy, { recursive: true });
  }
  if (!settings) return;
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(settings, null, 2));
}
