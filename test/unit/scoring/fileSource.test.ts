import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeByteSource } from '../../../src/scoring/fileSource';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'turnlens-source-'));
  writeFileSync(path.join(folder, 'a'), 'abcdef');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file as bytes', () => {
  it('is read by range, shorter at its end', async () => {
    const source = nodeByteSource(path.join(folder, 'a'));
    expect(await source.size()).toBe(6);
    expect(new TextDecoder().decode(await source.read(1, 3))).toBe('bc');
    expect(new TextDecoder().decode(await source.read(4, 99))).toBe('ef');
    expect(await source.read(6, 9)).toHaveLength(0);
    expect(await source.read(3, 3)).toHaveLength(0);
    await source.close();
    await source.close();
  });

  it('that is not there rejects on the first read, and closes all the same', async () => {
    const source = nodeByteSource(path.join(folder, 'none'));
    await expect(source.size()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(source.close()).resolves.toBeUndefined();
  });
});
