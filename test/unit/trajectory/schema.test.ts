import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readNative } from '../../../src/trajectory/read';
import { root } from '../../support/fixtures';

interface Schema {
  readonly else: { readonly properties: object };
  readonly definitions: { readonly turn: { readonly properties: object } };
}

it('names the keys that the reader knows', () => {
  const schema = JSON.parse(readFileSync(path.join(root, 'media', 'traj.schema.json'), 'utf8')) as Schema;
  const nulls = (properties: object): object => Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
  const record = { ...nulls(schema.else.properties), turns: [nulls(schema.definitions.turn.properties), { ...nulls(schema.definitions.turn.properties), text: 'x' }] };
  const result = readNative(JSON.stringify(record));
  expect(result.kind === 'trajectory' && result.trajectory.findings.filter((finding) => finding.code === 'unknown-key')).toEqual([]);
});
