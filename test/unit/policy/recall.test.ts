import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readIdentity } from '../../../src/policy/identity';
import { recallIdentity, rememberIdentity, type KnownIdentity, type RecallOptions } from '../../../src/policy/recall';
import { policyFolder } from '../../support/policyFolder';

let kept: string;
let options: RecallOptions;
let identity: KnownIdentity;
beforeEach(async () => {
  kept = mkdtempSync(path.join(os.tmpdir(), 'turnlens-recall-'));
  options = { folder: policyFolder(), file: path.join(kept, 'identities.json'), version: '0.1.0' };
  const { hash = '', contract, device = 'cpu', dtype, activations } = await readIdentity(options.folder);
  identity = { hash, contract, device, dtype, activations };
});
afterEach(() => { rmSync(kept, { recursive: true }); });

test('nothing is recalled before it was remembered', async () => {
  expect(await recallIdentity(options)).toBeUndefined();
});

test('what a folder was is recalled while it stays as it is', async () => {
  await rememberIdentity(options, identity);
  expect(await recallIdentity(options)).toEqual(identity);
  expect(await recallIdentity({ ...options, version: '0.2.0' })).toBeUndefined();
  expect(await recallIdentity({ ...options, contract: { placeholder: 'x' } })).toBeUndefined();
  expect(await recallIdentity({ ...options, device: 'auto' })).toBeUndefined();
  expect(await recallIdentity({ ...options, activations: 'exported' })).toBeUndefined();
});

test.each(['turnlens.json', 'chat_template.jinja', 'onnx'])('a folder with a new or changed %s is another', async (name) => {
  await rememberIdentity(options, identity);
  writeFileSync(path.join(options.folder, name), '{}');
  expect(await recallIdentity(options)).toBeUndefined();
});

test('an identity that the folder no longer has is not kept', async () => {
  await rememberIdentity(options, { ...identity, hash: 'sha256:other' });
  expect(await recallIdentity(options)).toBeUndefined();
});

test('a damaged file is an empty one', async () => {
  writeFileSync(options.file, '{"version":1,"policies":{"a":');
  expect(await recallIdentity(options)).toBeUndefined();
  await rememberIdentity(options, identity);
  expect(await recallIdentity(options)).toEqual(identity);
});
