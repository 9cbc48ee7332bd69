import { describe, expect, it } from 'vitest';

import { cacheFolder } from '../../../src/cli/cacheFolder';

describe('the folder of the cache', () => {
  it.each([
    [{ XDG_CACHE_HOME: '/var/c' }, 'linux', '/var/c/turnlens'],
    [{ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/u/.cache/turnlens'],
    [{}, 'linux', '/home/u/.cache/turnlens'],
    [{}, 'darwin', '/home/u/Library/Caches/turnlens'],
    [{ LOCALAPPDATA: '/local' }, 'win32', '/local/turnlens'],
  ] as const)('by %j on %s', (env, platform, folder) => expect(cacheFolder(env, platform, '/home/u')).toBe(folder));
});
