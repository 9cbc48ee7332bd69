import { expect, test } from 'vitest';
import { statusText } from '../../../src/editor/statusText';
import { PolicyError } from '../../../src/replay/policy';

test('says policy, device and freshness', () => {
  expect(statusText({ policyName: 'demo', state: { kind: 'unloaded' }, device: 'cpu', freshness: 'stale' }).text).toBe('$(circle-outline) demo · cpu · stale');
  expect(statusText({ policyName: 'demo', state: { kind: 'running' } }).text).toBe('$(loading~spin) demo · scoring');
});

test('a failure shows, with its sentence', () => {
  const status = statusText({ policyName: 'x', state: { kind: 'failed', error: new PolicyError('crashed', 'It ended.') } });
  expect(status).toMatchObject({ text: '$(error) x · failed', warning: true });
  expect(status.tooltip).toContain('It ended.');
});

test('a folder’s name makes no icon', () => {
  expect(statusText({ policyName: '$(trash)', state: { kind: 'unloaded' } }).text).not.toContain('$(trash)');
});
