import { expect, test } from 'vitest';
import { defaultContract } from '../../../src/replay/contract';
import { devicesFor } from '../../../src/replay/device';
import type { PolicyInfo } from '../../../src/replay/policy';
import { policyReport, policyReportText } from '../../../src/scoring/policyReport';

const info: PolicyInfo = {
  name: '/p', hash: 'sha256:1', contract: defaultContract, architecture: 'qwen2', device: 'webgpu', dtype: 'float32', activations: 'fp32', runtime: 'onnxruntime 1.30.0', contextLength: 32768, hasChatTemplate: true,
  devices: { asked: 'auto', tried: [{ device: 'cuda', reason: 'Failed to load shared library' }], parity: { difference: 1.2e-5, tolerance: 1e-3, milliseconds: 4, cpuMilliseconds: 40, longestRun: 31 } },
};

test('each platform has its own order, and a device asked for stands alone', () => {
  expect(['linux', 'win32', 'darwin', 'freebsd'].map((platform) => devicesFor('auto', platform).join())).toEqual(['cuda,webgpu,cpu', 'webgpu,dml,cpu', 'webgpu,coreml,cpu', 'cpu']);
  expect(devicesFor('dml', 'linux')).toEqual(['dml']);
});

test('a loaded policy: its device, why not a better one, what would bring it, what was never tested', () => {
  const report = policyReport({ folder: '/p', asked: 'auto', info, platform: 'linux' });
  expect(report).toMatchObject({ device: 'webgpu', untested: ['cuda'], tried: [{ device: 'cuda' }] });
  expect(report.remedies).toEqual([expect.stringMatching(/^For cuda: install an NVIDIA driver/) as string]);
  const text = policyReportText(report);
  expect(text).toContain('Device: webgpu (asked for: auto)');
  expect(text).toContain('  cuda: Failed to load shared library');
  expect(text).toContain('agreement with the CPU: 0.000012 nats at most, 0.001 allowed');
  expect(text).toContain('longest run that agrees: 31 tokens');
});

test('what of its graph and its contract is not as it seems', () => {
  const text = policyReportText(policyReport({ folder: '/p', asked: 'auto', info: { ...info, graphNotes: ['Runs as exported.'], contractNotes: ['Passed over.'] }, platform: 'linux' }));
  expect(text).toContain('\n\nGraph\n  Runs as exported.\n\nContract\n  Passed over.\n');
});

test('one that is not loaded: nothing is claimed', () => {
  const report = policyReport({ folder: '/p', asked: 'auto', platform: 'win32' });
  expect(report.device).toBeUndefined();
  expect(report.untested).toEqual(['dml']);
  expect(policyReportText(report)).toContain('Device: not known before the policy is loaded');
});

test('one that does not load: why, and no advice to score', () => {
  const text = policyReportText(policyReport({ folder: '/p', asked: 'auto', platform: 'linux', failure: '/p/model.onnx is no ONNX model.' }));
  expect(text).toMatch(/^Device: none, the policy does not load \(asked for: auto\)\n\nWhy it does not load\n {2}\/p\/model\.onnx is no ONNX model\.\n/);
  expect(text).not.toContain('score a trajectory first');
});
