import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { unreadable } from '../../../src/editor/sources';
import { nodeByteSource } from '../../../src/scoring/fileSource';

vi.mock('vscode', () => import('../../support/fakeVscode'));

const why = (e: unknown): string => unreadable({ path: '/runs/a.jsonl' } as Parameters<typeof unreadable>[0], e);
const failure = (code: string, message = `${code}: failed, open '/runs/a.jsonl'`): Error => Object.assign(new Error(message), { code });

test('what the disk says is told in words', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'turnlens-unreadable-'));
  const [absent, isFolder] = await Promise.all([path.join(folder, 'none'), folder].map((file) => nodeByteSource(file).read(0, 1).catch((e: unknown) => e)));
  await rm(folder, { recursive: true });
  expect([why(absent), why(isFolder)]).toEqual(['a.jsonl cannot be read: it is not there.', 'a.jsonl cannot be read: it is a folder.']);
  expect(why(failure('EACCES'))).toBe('a.jsonl cannot be read: there is no permission to.');
  expect(why(failure('NoPermissions'))).toBe('a.jsonl cannot be read: there is no permission to.');
});

test('of what nobody foresaw the first line is told', () => {
  expect(why(failure('constructor', 'The disk is on fire.\n    at open (file.js:1:1)'))).toBe('a.jsonl cannot be read: The disk is on fire.');
  expect(why('no')).toBe('a.jsonl cannot be read: no.');
});
