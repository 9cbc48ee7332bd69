import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { demoPolicy } from './fixtures';

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-policy-'));
  made.push(folder);
  return folder;
}

/** A copy of the demo policy, with `without` left out and `files` written over it. */
export function policyFolder(without: readonly string[] = [], files: Readonly<Record<string, string>> = {}): string {
  const folder = emptyFolder();
  cpSync(demoPolicy, folder, { recursive: true });
  for (const name of without) rmSync(path.join(folder, name), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return folder;
}
