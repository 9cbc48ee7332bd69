import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openJournal } from '../../../src/scoring/journal';
import type { Stored } from '../../../src/scoring/store';

const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-journal-'));
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

const key = (n: number): string => String(n).padStart(64, '0');
const stored = (reason: string): Stored => ({ result: { kind: 'undefined', code: 'too-long', reason }, runtime: 'r', at: '2026-01-01T00:00:00.000Z' });
const files = (place: string): string[] => readdirSync(place);

it('gives back what a process before this one wrote, and nothing to another command', () => {
  const place = path.join(folder, 'resume');
  const before = openJournal(place, 'a');
  for (let n = 0; n < 50; n++) before.set(key(n), stored(`é${'x'.repeat(n * 1000)}`));
  const after = openJournal(place, 'a');
  for (let n = 0; n < 50; n++) expect(after.get(key(n))).toEqual(stored(`é${'x'.repeat(n * 1000)}`));
  expect(after.get(key(50))).toBeUndefined();
  expect(openJournal(place, 'b').get(key(0))).toBeUndefined();
});

it('passes over a line that was cut off', () => {
  const place = path.join(folder, 'torn');
  openJournal(place, 'a').set(key(1), stored('one'));
  const [file = ''] = files(place);
  appendFileSync(path.join(place, file), `\n${key(2)} {"result":{"kind":"unde`);
  openJournal(place, 'a').set(key(3), stored('three'));
  const after = openJournal(place, 'a');
  expect([1, 2, 3].map((n) => after.get(key(n)))).toEqual([stored('one'), undefined, stored('three')]);
});

it('is gone when its command is through, and when nobody has taken it up for long', () => {
  const place = path.join(folder, 'gone');
  const journal = openJournal(place, 'a');
  journal.set(key(1), stored('one'));
  journal.finish();
  expect(files(place)).toEqual([]);
  openJournal(place, 'b').set(key(1), stored('one'));
  const [file = ''] = files(place);
  utimesSync(path.join(place, file), 0, 0);
  openJournal(place, 'c');
  expect(files(place)).toEqual([]);
});
