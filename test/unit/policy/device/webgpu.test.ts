import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOne } from '../../../../scripts/lib/bundle.mjs';
import { root } from '../../../support/fixtures';
import { generatedPolicy } from '../../../support/generatedPolicy';
import type { DecoderOptions } from '../../../support/graphs/decoder';
import { webgpuEnvironment, whyNoWebgpu } from '../../../support/swiftshader';

const folder = path.join(root, 'out', `webgpu-test-${String(process.pid)}`);
const script = path.join(folder, 'onWebgpu.js');

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await bundleOne(path.relative(root, script), { entry: 'test/support/onWebgpu.ts', external: ['onnxruntime-node'], without: /^\b$/ });
});
afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

interface Answer {
  readonly device: string;
  readonly devices: { readonly parity: { readonly difference: number; readonly longestRun?: number } };
  readonly graphNotes?: readonly string[];
  readonly answers: readonly string[];
  readonly difference: number;
  readonly compared: number;
  readonly tokens: number;
  readonly stats: { readonly tokensRun: number; readonly tokensTree: number };
}

async function onWebgpu(options: DecoderOptions): Promise<Answer> {
  const { folder: policy, shape } = generatedPolicy(options);
  const { stdout } = await promisify(execFile)(process.execPath, [script, policy, String(shape.kvHeads), String(shape.headSize)], { env: { ...process.env, ...webgpuEnvironment } });
  return JSON.parse(stdout) as Answer;
}

const exports: Record<string, DecoderOptions> = {
  'a plain export': { family: 'qwen2', attention: 'plain', tied: true },
  'a GroupQueryAttention export': { family: 'llama', attention: 'gqa-packed' },
};

describe.skipIf(whyNoWebgpu !== undefined)(`replay on WebGPU ${whyNoWebgpu === undefined ? '' : `(skipped: ${whyNoWebgpu})`}`, () => {
  test.each(Object.entries(exports))('%s: packed, from a cache that stays on the device, it equals one full forward there', async (_name, options) => {
    const answer = await onWebgpu(options);
    expect(answer).toMatchObject({ device: 'webgpu', answers: ['answer', 'answer'] });
    expect(answer.graphNotes).toBeUndefined();
    expect(answer.devices.parity.difference).toBeLessThan(1e-3);
    expect(answer.compared).toBeGreaterThan(4);
    // A full forward of GroupQueryAttention is right up to 31 tokens there.
    expect(answer.tokens).toBeLessThan(32);
    expect(answer.difference).toBeLessThan(1e-4);
    expect(answer.stats.tokensRun).toBe(answer.stats.tokensTree);
  }, 240_000);
});
