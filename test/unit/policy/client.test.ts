import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PolicyProcess, type PolicyProcessOptions, type PolicyState } from '../../../src/policy/client';
import { DeviceMemory, thisSession } from '../../../src/policy/device/memory';
import { PolicyError } from '../../../src/replay/policy';
import type { ReplayRequest, ReplayResult } from '../../../src/replay/requests';
import { childrenWith, knowsProcesses } from '../../support/childProcesses';
import { demoPolicy } from '../../support/fixtures';
import { emptyFolder, policyFolder } from '../../support/policyFolder';
import { faultyProcess, type FaultyProcess } from '../../support/policyProcess';

/** Decoded side by side: the shortest is there after two runs, the longest after some sixty. */
const answer = (question: string, maxTokens = 8): ReplayRequest => ({ kind: 'answer', context: [{ chat: [{ role: 'user', content: question }] }], stop: [], maxTokens });
const requests = ['Who?', 'Where?', 'When was it?', 'Why?', 'How?'].map((question, i) => answer(question, 2 + 15 * i));

let faulty: FaultyProcess;
const open: PolicyProcess[] = [];

beforeAll(async () => {
  faulty = await faultyProcess('client-test');
});
afterEach(async () => {
  for (const policy of open.splice(0)) await policy.dispose();
});
afterAll(() => { faulty.remove(); });

function policy(options: Partial<PolicyProcessOptions> = {}): PolicyProcess {
  const made = new PolicyProcess({ folder: demoPolicy, processPath: faulty.path, ...options });
  open.push(made);
  return made;
}

/** Runs the requests and gives back what was reported, and the error if there was one. */
async function run(subject: PolicyProcess, signal?: AbortSignal, onResult?: () => void): Promise<{ results: Map<number, ReplayResult>; error?: PolicyError }> {
  const results = new Map<number, ReplayResult>();
  const on = {
    result: (index: number, result: ReplayResult) => {
      results.set(index, result);
      onResult?.();
    },
  };
  try {
    await subject.run(requests, on, signal);
    return { results };
  } catch (error) {
    if (error instanceof PolicyError) return { results, error };
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a policy in a process of its own', { timeout: 120_000 }, () => {
  test('the runtime reports nothing to its makers, and keeps no number for the machine', async () => {
    // It does so below any of these. Where tests run for a project it keeps quiet by itself.
    const home = emptyFolder();
    const subject = policy({ env: { HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, CI: undefined, ORT_DISABLE_TELEMETRY: undefined } });
    await subject.describe();
    await subject.dispose();
    expect(readdirSync(home, { recursive: true })).toEqual([]);
  });

  test('describes itself, tokenizes and answers', async () => {
    const states: PolicyState['kind'][] = [];
    const subject = policy({ on: { state: (state) => states.push(state.kind) } });
    const info = await subject.describe();
    expect(info).toMatchObject({ architecture: 'qwen2', device: 'cpu', dtype: 'float32', activations: 'fp32', contextLength: 1536, hasChatTemplate: true });
    expect(info.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    const [piece] = await subject.tokenize([{ text: 'né 東京 <search>' }]);
    expect(piece?.offsets?.at(-1)?.end).toBe('né 東京 <search>'.length);
    const { results } = await run(subject);
    expect(results.size).toBe(requests.length);
    expect(states).toEqual(['hashing', 'loading', 'ready', 'running', 'ready']);
  });

  test('asks equal requests once', async () => {
    const subject = policy();
    const results: ReplayResult[] = [];
    const on = { result: (index: number, result: ReplayResult) => { results[index] = result; } };
    const once = await subject.run([answer('Who?')], on);
    const twice = await subject.run([answer('Who?'), answer('Who?')], on, undefined, true);
    expect(results[1]).toEqual(results[0]);
    expect(twice).toMatchObject({ tokensNaive: 2 * once.tokensNaive, tokensTree: once.tokensTree, tokensRun: once.tokensRun, tokensDecoded: once.tokensDecoded });
  });

  test('goes on where an earlier call left, unless it is asked to run anew', async () => {
    const subject = policy();
    const on = { result: () => undefined };
    const first = await subject.run([answer('Who was it?')], on);
    expect(first.tokensRun).toBe(first.tokensTree);
    expect((await subject.run([answer('Who was it?')], on)).tokensRun).toBe(0);
    expect(await subject.run([answer('Who was it?')], on, undefined, true)).toEqual(first);
  });

  test('without memory for what stays warm every call starts anew', async () => {
    const subject = policy({ warmMegabytes: 0 });
    const on = { result: () => undefined };
    const first = await subject.run([answer('Who was it?')], on);
    expect(await subject.run([answer('Who was it?')], on)).toEqual(first);
  });

  describe('while it tried a device', () => {
    /** A process that takes the load and does no more, with what it was trying, and what another session's was. */
    async function loading(options: Partial<PolicyProcessOptions> = {}): Promise<{ subject: PolicyProcess; pid: number; failed: Promise<unknown>; memory: DeviceMemory }> {
      const folder = emptyFolder();
      const hashCache = path.join(folder, 'hashes.json');
      const memory = new DeviceMemory(hashCache);
      writeFileSync(path.join(folder, 'loading.js'), "process.on('message', ({ call }) => { require('node:fs').writeFileSync(`${__dirname}/pid`, String(process.pid)); process.send({ kind: 'taken', call }); });");
      const subject = policy({ processPath: path.join(folder, 'loading.js'), hashCache, ...options });
      const failed = subject.describe().catch((error: unknown) => error);
      await expect.poll(() => existsSync(path.join(folder, 'pid')), { timeout: 30_000 }).toBe(true);
      const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'));
      await memory.keep('policy', 'webgpu', { kind: 'trying', process: pid, session: thisSession });
      await memory.keep('policy', 'cuda', { kind: 'trying', process: pid, session: 'another' });
      return { subject, pid, failed, memory };
    }

    test('a load that is cancelled is no verdict about it', async () => {
      const { subject, failed, memory } = await loading();
      await subject.dispose();
      expect(await failed).toMatchObject({ code: 'cancelled' });
      expect(await memory.verdict('policy', 'webgpu')).toBeUndefined();
      expect(await memory.verdict('policy', 'cuda')).toBeDefined();
    });

    test.skipIf(process.platform === 'win32').each(['SIGKILL', 'SIGTERM'] as const)('an end from outside, %s, is none either, and is not forgotten', async (signal) => {
      const { subject, pid, failed, memory } = await loading();
      process.kill(pid, signal);
      expect(await failed).toBeInstanceOf(PolicyError);
      await subject.dispose();
      expect(await memory.verdict('policy', 'webgpu')).toMatchObject({ kind: 'trying', process: pid });
    });

    test.skipIf(process.platform === 'win32')('a crash refuses it', async () => {
      const { pid, failed, memory } = await loading();
      process.kill(pid, 'SIGSEGV');
      expect(await failed).toMatchObject({ code: 'crashed' });
      await expect.poll(() => memory.verdict('policy', 'webgpu')).toEqual({ kind: 'refused', reason: 'the process ended when it was tried last' });
      expect(await memory.verdict('policy', 'cuda')).toMatchObject({ kind: 'trying' });
    });

    test('a hang that was ended refuses it', async () => {
      const { failed, memory } = await loading({ patience: { floorMs: 2000, factor: 1 }, on: { silent: async () => 'restart' } });
      expect(await failed).toMatchObject({ code: 'hung' });
      await expect.poll(() => memory.verdict('policy', 'webgpu')).toMatchObject({ kind: 'refused' });
    });
  });

  test('ends when nothing is asked of it for long, and starts again', async () => {
    const states: PolicyState['kind'][] = [];
    const subject = policy({ idleUnloadMinutes: 0.5 / 60, on: { state: (state) => states.push(state.kind) } });
    await subject.describe();
    await expect.poll(() => states.at(-1), { timeout: 60_000 }).toBe('unloaded');
    expect((await run(subject)).results.size).toBe(requests.length);
  });

  test.each([
    ['crash', 'crashed'],
    ['kill', 'out-of-memory'],
    ['memory', 'out-of-memory'],
  ] as const)('%s: one sentence, what was finished is kept, the next call works', async (fault, code) => {
    const states: PolicyState[] = [];
    const subject = policy({ on: { state: (state) => states.push(state) } });
    faulty.order(fault, 20);
    const broken = await run(subject);
    expect(broken.error?.code).toBe(code);
    expect(broken.error?.message).toMatch(/^The policy's process .*\.$/);
    expect(broken.error?.message).not.toContain('\n');
    expect(broken.results.size).toBeGreaterThan(0);
    expect(broken.results.size).toBeLessThan(requests.length);
    expect(states.at(-1)).toMatchObject({ kind: 'failed', error: { code } });
    const whole = await run(subject);
    expect(whole.results.size).toBe(requests.length);
    for (const [index, result] of broken.results) expect(whole.results.get(index)).toEqual(result);
  });

  test.runIf(knowsProcesses)('a process that ended while nothing ran is started again by the next call, without a word', async () => {
    const states: PolicyState['kind'][] = [];
    const subject = policy({ on: { state: (state) => states.push(state.kind) } });
    await subject.describe();
    // Its end is noticed after the next call has been sent.
    for (const pid of childrenWith(faulty.path)) process.kill(pid, 'SIGKILL');
    const { results, error } = await run(subject);
    expect(error).toBeUndefined();
    expect(results.size).toBe(requests.length);
    expect(states).not.toContain('failed');
    expect(states.filter((state) => state === 'loading')).toHaveLength(2);
  });

  test('hang: asked whether to wait; restart ends the process and the next call works', async () => {
    let asked = 0;
    const subject = policy({ patience: { floorMs: 5000, factor: 10 }, on: { silent: () => Promise.resolve(++asked === 1 ? 'wait' : 'restart') } });
    await subject.describe();
    faulty.order('hang', 20);
    const broken = await run(subject);
    expect(asked).toBe(2);
    expect(broken.error?.code).toBe('hung');
    expect(broken.results.size).toBeGreaterThan(0);
    expect((await run(subject)).results.size).toBe(requests.length);
  });

  test('cancel: takes effect between two runs, keeps what is finished and the process', async () => {
    const states: PolicyState['kind'][] = [];
    const subject = policy({ on: { state: (state) => states.push(state.kind) } });
    const abort = new AbortController();
    const stopped = await run(subject, abort.signal, () => { abort.abort(); });
    expect(stopped.error?.code).toBe('cancelled');
    expect(stopped.results.size).toBeGreaterThan(0);
    expect((await run(subject)).results.size).toBe(requests.length);
    expect(states.filter((state) => state === 'loading')).toHaveLength(1);
    expect((await run(subject, AbortSignal.abort())).error?.code).toBe('cancelled');
  });

  test('cancel of a run that hangs ends the process', async () => {
    const subject = policy();
    await subject.describe();
    faulty.order('hang', 10);
    const abort = new AbortController();
    setTimeout(() => { abort.abort(); }, 500);
    expect((await run(subject, abort.signal)).error?.code).toBe('cancelled');
    expect((await run(subject)).results.size).toBe(requests.length);
  });

  test('a run that waits for another is cancelled at once and leaves the other alone', async () => {
    const subject = policy();
    await subject.describe();
    const first = run(subject);
    const abort = new AbortController();
    const second = run(subject, abort.signal);
    setTimeout(() => { abort.abort(); }, 1);
    expect((await second).results.size).toBe(0);
    expect((await second).error?.code).toBe('cancelled');
    expect((await first).results.size).toBe(requests.length);
  });

  test('the process goes when its parent has gone', async () => {
    const script = `const child = require('node:child_process').fork(${JSON.stringify(faulty.path)}, [], { serialization: 'advanced' }); console.log(child.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = Number(await new Promise<string>((resolve) => parent.stdout.once('data', (data: Buffer) => { resolve(data.toString()); })));
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    for (let waited = 0; isAlive(pid) && waited < 20_000; waited += 100) await pause(100);
    expect(isAlive(pid)).toBe(false);
  });

  test('a folder that is no policy is one sentence, and the next call looks again', async () => {
    const subject = policy({ folder: path.join(demoPolicy, 'nowhere') });
    await expect(subject.describe()).rejects.toMatchObject({ code: 'bad-folder' });
    await expect(subject.describe()).rejects.toMatchObject({ code: 'bad-folder' });
  });

  test('a folder that has changed is loaded anew', async () => {
    const folder = policyFolder();
    const subject = policy({ folder });
    expect((await subject.describe()).contract.placeholder).toBe('[DELETE]');
    writeFileSync(path.join(folder, 'turnlens.json'), '{"placeholder": "[GONE]"}');
    expect((await subject.describe()).contract.placeholder).toBe('[GONE]');
    expect((await run(subject)).results.size).toBe(requests.length);
  });

  test('dispose ends the process, and a later call starts another', async () => {
    const subject = policy();
    await subject.describe();
    const running = run(subject);
    await pause(20);
    await subject.dispose();
    expect((await running).error?.code).toBe('cancelled');
    expect((await run(subject)).results.size).toBe(requests.length);
  });
});
