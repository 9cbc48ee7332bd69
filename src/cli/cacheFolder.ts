import { homedir } from 'node:os';
import path from 'node:path';

/** Where this user's caches live, by the platform's own rule, and Turnlens' folder in it. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform, home = homedir()): string {
  // A relative XDG path is invalid by its specification and ignored.
  const absolute = (folder: string | undefined): string | undefined => (folder !== undefined && path.isAbsolute(folder) ? folder : undefined);
  const caches =
    absolute(env['XDG_CACHE_HOME']) ??
    (platform === 'win32'
      ? (absolute(env['LOCALAPPDATA']) ?? path.join(home, 'AppData', 'Local'))
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Caches')
        : path.join(home, '.cache'));
  return path.join(caches, 'turnlens');
}
