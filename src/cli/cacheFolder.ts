import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where this user's caches live, by the platform's own rule, and Turnlens' folder in it. Absent: the user has no home to keep anything in. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform, home = homeFolder()): string | undefined {
  // A relative XDG path is invalid by its specification and ignored.
  const absolute = (folder: string | undefined): string | undefined => (folder !== undefined && path.isAbsolute(folder) ? folder : undefined);
  const inHome = (...names: string[]): string | undefined => absolute(path.join(home, ...names));
  const caches =
    absolute(env['XDG_CACHE_HOME']) ??
    (platform === 'win32'
      ? (absolute(env['LOCALAPPDATA']) ?? inHome('AppData', 'Local'))
      : platform === 'darwin'
        ? inHome('Library', 'Caches')
        : inHome('.cache'));
  return caches === undefined ? undefined : path.join(caches, 'turnlens');
}

/** Empty where neither HOME nor the user database names one (containers run as a bare number). */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** The same folder, made where it is missing. Absent where it cannot be: then nothing is kept. */
export function openCacheFolder(folder = cacheFolder()): string | undefined {
  if (folder === undefined) return undefined;
  try {
    make(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/** Not `recursive`: with that, Node 20 never returns where a file system answers "no such folder" to making one, as /proc does. */
function make(folder: string): void {
  if (existsSync(folder)) return;
  make(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
