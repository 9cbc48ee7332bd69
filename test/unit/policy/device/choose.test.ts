import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Decoder } from '../../../../src/policy/decoder';
import { chooseDevice, type ChooseOptions } from '../../../../src/policy/device/choose';
import { DeviceMemory, policyKey, verdictKey, type Verdict } from '../../../../src/policy/device/memory';
import type { OpenDecoder } from '../../../../src/policy/openDecoder';
import type { Device } from '../../../../src/replay/device';
import { cpuCost } from '../../../../src/replay/packing';
import { PolicyError } from '../../../../src/replay/policy';

interface Fake {
  /** Added to every log-probability; from `from` tokens in a run on. */
  readonly off?: number;
  readonly from?: number;
  /** Of a run. */
  readonly milliseconds?: number;
  readonly fails?: string;
}

let folder: string;
let log: string[];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'turnlens-devices-'));
  log = [];
});
afterEach(() => { rmSync(folder, { recursive: true }); });

const memory = (): DeviceMemory => new DeviceMemory(path.join(folder, 'hashes.json'));

function fakeDecoder(device: Device, { off = 0, from = 0, milliseconds = 1 }: Fake): OpenDecoder {
  const decoder = {
    packs: true,
    start: () => ({ columns: [], tensors: {} }),
    prefix: (keyValues: unknown) => keyValues,
    discard: () => undefined,
    release: async () => { log.push(`release ${device}`); },
    run: async ({ tokens, asks, past, stretches, keep }: Parameters<Decoder['run']>[0]) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const row = { logprob: -1 - (tokens.length > from ? off : 0), rank: 0, entropy: 1, best: 1, bestLogprob: -1, margin: 1 };
      return { rows: asks.map(() => row), ...(keep ? { keyValues: { columns: [...past.columns, ...stretches], tensors: {} } } : {}) };
    },
  };
  return { decoder: decoder as unknown as Decoder, cost: cpuCost, notes: [], edited: true, vocabulary: 8 };
}

function options(there: Partial<Record<Device, Fake>>, more: Partial<ChooseOptions> = {}): ChooseOptions {
  const fakes: Partial<Record<Device, Fake>> = { cpu: { milliseconds: 20 }, ...there };
  return {
    choice: 'auto',
    platform: 'linux',
    there: async (device) => (fakes[device] ? undefined : 'it is not here'),
    open: async (device) => {
      log.push(`open ${device}`);
      const fake = fakes[device] ?? {};
      if (fake.fails !== undefined) throw new PolicyError('load-failed', fake.fails);
      return fakeDecoder(device, fake);
    },
    tokens: () => Array.from({ length: 67 }, (_, i) => i),
    tolerance: 1e-3,
    memory: memory(),
    autoKey: policyKey('sha256:a', 'fp32'),
    verdictKey: verdictKey('sha256:a', 'fp32', 'onnxruntime 1', 1),
    session: 'this one',
    alive: () => undefined,
    ...more,
  };
}

describe('auto', () => {
  test('takes the CPU where nothing else is there, loads it once, and says why nothing better', async () => {
    const { device, report } = await chooseDevice(options({}));
    expect(device).toBe('cpu');
    expect(report).toEqual({ asked: 'auto', tried: [{ device: 'cuda', reason: 'it is not here' }, { device: 'webgpu', reason: 'it is not here' }] });
    expect(log).toEqual(['open cpu']);
  });

  test('probes the CPU, releases it, then takes the device; the next time neither is probed', async () => {
    const { device, report } = await chooseDevice(options({ webgpu: {} }));
    expect(device).toBe('webgpu');
    expect(report.parity).toMatchObject({ difference: 0, tolerance: 1e-3 });
    expect(log).toEqual(['open cpu', 'release cpu', 'open webgpu']);
    expect(await memory().auto(policyKey('sha256:a', 'fp32'))).toBe('webgpu');
    expect(await memory().auto(policyKey('sha256:a', 'exported'))).toBeUndefined();
    log = [];
    const again = await chooseDevice(options({ webgpu: { off: 1 } }));
    expect([again.device, again.report.parity, log]).toEqual(['webgpu', report.parity, ['open webgpu']]);
  });

  test.each([
    ['differs from the CPU', { off: 0.01 }, /^it differs from the CPU by 0\.010 nats in a log-probability, and 0\.001 is the most that is allowed$/],
    ['gives no numbers', { off: NaN }, /^it differs from the CPU by what is no number nats/],
    ['is slower', { milliseconds: 60 }, /^it is slower than the CPU with this policy \(a short run takes \d+ against \d+ ms\)$/],
    ['does not load it', { fails: 'no shader-f16' }, /^no shader-f16$/],
  ] as const)('passes over a device that %s', async (_what, fake, reason) => {
    const { device, report } = await chooseDevice(options({ webgpu: fake }));
    expect(device).toBe('cpu');
    expect(report.tried[1]).toEqual({ device: 'webgpu', reason: expect.stringMatching(reason) as string });
  });

  test.each([
    ['runtime', verdictKey('sha256:a', 'fp32', 'onnxruntime 2', 1)],
    ['way of running', verdictKey('sha256:a', 'fp32', 'onnxruntime 1', 2)],
  ])('remembers a refusal, but not under another %s', async (_what, verdictKey) => {
    await chooseDevice(options({ webgpu: { off: 1 } }));
    log = [];
    expect((await chooseDevice(options({ webgpu: {} }))).device).toBe('cpu');
    expect(log).toEqual(['open cpu']);
    expect((await chooseDevice(options({ webgpu: {} }, { verdictKey }))).device).toBe('webgpu');
  });

  test('cuts runs short where only those agree', async () => {
    const { device, open, report } = await chooseDevice(options({ webgpu: { off: 1, from: 31 } }));
    expect([device, open.cost.longestRun, report.parity?.longestRun]).toEqual(['webgpu', 31, 31]);
  });

  describe('after a process that tried a device is gone without a word', () => {
    const key = verdictKey('sha256:a', 'fp32', 'onnxruntime 1', 1);
    const gone = { kind: 'trying', process: 2 ** 22 + 1, session: 'this one' } as const;

    test('does not try it again in the same session', async () => {
      await memory().keep(key, 'webgpu', gone);
      const { device, report } = await chooseDevice(options({ webgpu: {} }));
      expect([device, report.tried[1]?.reason]).toEqual(['cpu', 'the process ended when it was tried last']);
    });

    test('tries it once more in another, and not a third time', async () => {
      await memory().keep(key, 'webgpu', gone);
      const { open } = options({ webgpu: {} });
      let meanwhile: Verdict | undefined;
      const later = options({ webgpu: {} }, {
        session: 'a later one',
        open: async (device) => {
          if (device === 'webgpu') meanwhile = await memory().verdict(key, 'webgpu');
          return open(device);
        },
      });
      expect((await chooseDevice(later)).device).toBe('webgpu');
      expect(meanwhile).toEqual({ kind: 'trying', process: process.pid, session: 'a later one', again: true });
      await memory().keep(key, 'webgpu', { ...gone, session: 'a later one', again: true });
      const { device, report } = await chooseDevice(options({ webgpu: {} }, { session: 'the last one' }));
      expect([device, report.tried[1]?.reason]).toEqual(['cpu', 'the process ended when it was tried last']);
    });
  });
});

describe('a device that was asked for', () => {
  test('is never replaced: one sentence with what to install', async () => {
    const asked = chooseDevice(options({}, { choice: 'webgpu' }));
    await expect(asked).rejects.toThrow(new PolicyError('load-failed', "The policy does not run on webgpu: it is not here; install the Vulkan loader (libvulkan1 on Debian and Ubuntu) and the GPU's Vulkan driver, or choose auto."));
    expect(log).toEqual([]);
  });

  test('is used with its figures told, though it differs or was refused before', async () => {
    const wrong = options({ webgpu: { off: 0.01, milliseconds: 60 } });
    await chooseDevice(wrong);
    const { device, report } = await chooseDevice({ ...wrong, choice: 'webgpu' });
    expect(device).toBe('webgpu');
    expect(report.parity?.difference).toBeCloseTo(0.01);
  });

  test('CPU: nothing is probed', async () => {
    expect((await chooseDevice(options({ webgpu: {} }, { choice: 'cpu' }))).report).toEqual({ asked: 'cpu', tried: [] });
    expect(log).toEqual(['open cpu']);
  });
});
