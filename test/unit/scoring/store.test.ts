import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskStore } from '../../../src/scoring/diskStore';
import { layeredStore, memoryStore, type Stored } from '../../../src/scoring/store';

const answer = (text: string): Stored => ({
  result: { kind: 'answer', text, ids: [1, 2], logprobs: [-0.1, -0.2], margin: 1.5, ended: 'stop', contextTokens: 3, notes: [{ code: 'prompt-rebuilt', piece: 0, message: 'm' }] },
  runtime: 'onnxruntime 1.30.0',
  at: '2026-01-01T00:00:00.000Z',
});
const likelihood: Stored = {
  ...answer(''),
  result: { kind: 'likelihood', tokens: [{ id: 1, text: 'a', logprob: -0.012345678901234567 }], contextTokens: 3, cut: 0, notes: [] },
};
const tooLong: Stored = { ...answer(''), result: { kind: 'undefined', code: 'too-long', reason: 'Too long.' } };
const key = (n: number, shard = 'ab'): string => shard + String(n).padStart(62, '0');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'turnlens-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the store in memory', () => {
  it('forgets what was used longest ago', () => {
    const store = memoryStore(2000);
    for (let i = 0; i < 4; i++) store.set(key(i), answer('x'));
    expect(store.get(key(0))).toBeUndefined();
    expect(store.get(key(3))).toEqual(answer('x'));
  });

  it('is filled from a far one', () => {
    const [near, far] = [memoryStore(), memoryStore()];
    far.set(key(1), tooLong);
    expect(layeredStore(near, far).get(key(1))).toEqual(tooLong);
    expect(near.get(key(1))).toEqual(tooLong);
    layeredStore(near, far).set(key(2), likelihood);
    expect(far.get(key(2))).toEqual(likelihood);
  });
});

describe('the store on disk', () => {
  it('gives back exactly what it was given, to another session too', () => {
    const first = diskStore(folder);
    const all = [answer('ỹ \ud83d\ude00 "x"\n'), likelihood, tooLong];
    all.forEach((stored, i) => first.set(key(i), stored));
    for (const store of [first, diskStore(folder)]) all.forEach((stored, i) => expect(store.get(key(i))).toEqual(stored));
    expect(first.get(key(9))).toBeUndefined();
    expect(first.get(key(9, 'ff'))).toBeUndefined();
  });

  it('brings near what is asked for, and what was written since is found all the same', async () => {
    diskStore(folder).set(key(1), likelihood);
    const store = diskStore(folder);
    await store.prepare?.([key(1), key(2, 'cd')]);
    expect(store.get(key(1))).toEqual(likelihood);
    diskStore(folder).set(key(2, 'cd'), tooLong);
    expect(store.get(key(2, 'cd'))).toEqual(tooLong);
  });

  it('sees what another process has written meanwhile', () => {
    const [mine, theirs] = [diskStore(folder), diskStore(folder)];
    expect(mine.get(key(1))).toBeUndefined();
    theirs.set(key(1), likelihood);
    expect(mine.get(key(1))).toEqual(likelihood);
  });

  it('keeps every line that two processes write at once', async () => {
    const script = `const fs = require('fs'); for (let i = 0; i < 400; i++) fs.appendFileSync(process.argv[1], '\\nabx' + i + ' ' + process.argv[2])`;
    const store = diskStore(folder);
    const other = new Promise((resolve) => execFile(process.execPath, ['-e', script, path.join(folder, 'ab.jsonl'), JSON.stringify(likelihood)], resolve));
    let running = true;
    void other.then(() => (running = false));
    let mine = 0;
    while (running) {
      store.set(key(mine++), likelihood);
      await new Promise((resolve) => setImmediate(resolve));
      if (mine % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      if (mine > 400) await other;
    }
    for (let i = 0; i < mine; i++) expect(store.get(key(i))).toEqual(likelihood);
    for (let i = 0; i < 400; i++) expect(store.get(`abx${i}`)).toEqual(likelihood);
  });

  it('passes over lines that are cut off, foreign or of another shape', () => {
    const store = diskStore(folder);
    store.set(key(1), likelihood);
    const file = path.join(folder, 'ab.jsonl');
    const lines = [
      `\n${key(2)} {"result":{"kind":"answer","te`,
      `${key(3)} {}`,
      `${key(4)} null`,
      `${key(5)} {"runtime":"r","at":"t","result":{"kind":"likelihood","tokens":[{"id":1,"text":"a","logprob":"x"}],"notes":[]}}`,
      `${key(6)} {"runtime":"r","at":"t","result":{"kind":"likelihood","tokens":[],"notes":[]}}`,
      `${key(7)} {"runtime":"r","at":"t","result":{"kind":"answer","text":"a","margin":1,"ids":[1],"logprobs":[null],"notes":[]}}`,
      'no key',
      '',
      '\u0000\u0000',
    ];
    appendFileSync(file, lines.join('\n'));
    for (let i = 2; i < 8; i++) expect(store.get(key(i))).toBeUndefined();
    expect(store.get(key(1))).toEqual(likelihood);
  });

  it('goes on after a line that a crash cut off', () => {
    writeFileSync(path.join(folder, 'ab.jsonl'), `${key(1)} {"result":`);
    const store = diskStore(folder);
    store.set(key(2), likelihood);
    expect(store.get(key(2))).toEqual(likelihood);
  });

  it('stays within its size and keeps the newest', () => {
    const store = diskStore(folder, 256 * 8192);
    for (let i = 0; i < 200; i++) store.set(key(i), answer('x'.repeat(100)));
    expect(statSync(path.join(folder, 'ab.jsonl')).size).toBeLessThanOrEqual(8192);
    expect(store.get(key(199))).toBeDefined();
    expect(store.get(key(0))).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['ab.jsonl']);
    expect(readFileSync(path.join(folder, 'ab.jsonl'), 'utf8').split('\n').every((line) => line === '' || line.startsWith('ab'))).toBe(true);
  });

  it('never fails where nothing can be written or read', () => {
    const file = path.join(folder, 'taken');
    writeFileSync(file, '');
    const store = diskStore(file);
    store.set(key(1), likelihood);
    expect(store.get(key(1))).toBeUndefined();
  });
});
