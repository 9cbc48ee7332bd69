import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The first of these programs that is on the PATH, or the path itself where one is given.
 * @param {readonly (string | undefined)[]} names
 * @returns {string | undefined} an absolute path
 */
export function findProgram(...names) {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const suffixes = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  for (const name of names) {
    if (!name) continue;
    const candidates = path.isAbsolute(name) ? [name] : folders.flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix)));
    const found = candidates.find(isExecutable);
    if (found) return found;
  }
  return undefined;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
