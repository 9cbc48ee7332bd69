import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { cacheFolder, openCacheFolder } from '../../../src/cli/cacheFolder';

describe('the folder of the cache', () => {
  it.each([
    [{ XDG_CACHE_HOME: '/var/c' }, 'linux', '/var/c/turnlens'],
    [{ XDG_CACHE_HOME: 'relative' }, 'linux', '/home/u/.cache/turnlens'],
    [{}, 'linux', '/home/u/.cache/turnlens'],
    [{}, 'darwin', '/home/u/Library/Caches/turnlens'],
    [{ LOCALAPPDATA: '/local' }, 'win32', '/local/turnlens'],
  ] as const)('by %j on %s', (env, platform, folder) => expect(cacheFolder(env, platform, '/home/u')).toBe(folder));

  it.each(['linux', 'darwin', 'win32'] as const)('is none without a home on %s', (platform) => expect(cacheFolder({}, platform, '')).toBeUndefined());
});

describe('opening it', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'turnlens-cache-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('makes what is missing, and finds it the next time', () => {
    const folder = path.join(scratch, 'a', 'b');
    expect([openCacheFolder(folder), openCacheFolder(folder), existsSync(folder)]).toEqual([folder, folder, true]);
  });

  it('keeps nothing where no folder can be made', () => {
    const file = path.join(scratch, 'file');
    writeFileSync(file, '');
    expect(openCacheFolder(path.join(file, 'turnlens'))).toBeUndefined();
  });

  it.skipIf(process.platform !== 'linux')('does not hang where the file system knows no new folders', () => {
    expect(openCacheFolder('/proc/turnlens/cache')).toBeUndefined();
  });
});
