import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { devices, type Device } from '../../replay/device';
import { KeptEntries } from '../keptEntries';
import { z } from '../schema';

const parity = z.object({
  difference: z.number(),
  tolerance: z.number(),
  milliseconds: z.number(),
  cpuMilliseconds: z.number(),
  longestRun: z.number().exactOptional(),
});
const verdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agrees'), parity }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  /** A process began to try it, and has not said how it went. `session`: that started it. `again`: nobody knows how the try before ended either. */
  z.object({ kind: z.literal('trying'), process: z.number(), session: z.string(), again: z.literal(true).exactOptional() }),
]);
const policy = z.object({ verdicts: z.record(z.string(), verdict), auto: z.enum(devices).optional() });
type Known = z.infer<typeof policy>;

export type Verdict = z.infer<typeof verdict>;
type Tried = Extract<Verdict, { kind: 'trying' }>;

/** Names this process, and those that it starts, beside others. */
export const thisSession = randomUUID();

export const endedTrying = 'the process ended when it was tried last';

const mostRemembered = 200;

/** What this process found out, where there is no file to keep it in. */
const here = new Map<string, Known>();

/** How a policy fared on each device, and what `auto` came to, in a JSON file beside the hashes. */
export class DeviceMemory {
  readonly #kept: KeptEntries<Known> | undefined;

  /** `hashCache`: absent, nothing is kept between processes. */
  constructor(hashCache: string | undefined) {
    this.#kept = hashCache === undefined ? undefined : new KeptEntries({ file: path.join(path.dirname(hashCache), 'devices.json'), entry: policy, most: mostRemembered });
  }

  /** `key`: see {@link verdictKey}. */
  async verdict(key: string, device: Device): Promise<Verdict | undefined> {
    return (await this.#read(key))?.verdicts[device];
  }

  /** The device that `auto` came to when the policy was loaded last. `key`: see {@link policyKey}. */
  async auto(key: string): Promise<Device | undefined> {
    return (await this.#read(key))?.auto;
  }

  async keep(key: string, device: Device, now: Verdict | undefined): Promise<void> {
    await this.#change(key, (known) => withVerdict(known, device, now));
  }

  async keepAuto(key: string, device: Device): Promise<void> {
    if ((await this.auto(key)) !== device) await this.#change(key, (known) => ({ ...known, auto: device }));
  }

  /** What the processes that this one started and ended itself were trying says nothing of a device. */
  async forgetTried(): Promise<void> {
    await this.#settle((tried) => !isRunning(tried.process), undefined);
  }

  /** What a process that this one started was trying when it ended by itself. */
  async blame(pid: number): Promise<void> {
    await this.#settle((tried) => tried.process === pid, { kind: 'refused', reason: endedTrying });
  }

  /** Replaces what processes of this session were trying. */
  async #settle(which: (tried: Tried) => boolean, now: Verdict | undefined): Promise<void> {
    const wanted = (verdict: Verdict | undefined): boolean => verdict?.kind === 'trying' && verdict.session === thisSession && which(verdict);
    await this.#kept?.change((known) => [...known].flatMap(([key, each]) => {
      const settled = devices.reduce((rest, device) => (wanted(rest.verdicts[device]) ? withVerdict(rest, device, now) : rest), each);
      return settled === each ? [] : [[key, settled] as const];
    }));
  }

  async #read(key: string): Promise<Known | undefined> {
    return this.#kept ? (await this.#kept.read()).get(key) : here.get(key);
  }

  async #change(key: string, change: (known: Known) => Known): Promise<void> {
    const changed = (known: ReadonlyMap<string, Known>): Known => change(known.get(key) ?? { verdicts: {} });
    if (this.#kept) await this.#kept.change((known) => [[key, changed(known)]]);
    else here.set(key, changed(here));
  }
}

function withVerdict({ verdicts, ...rest }: Known, device: Device, now: Verdict | undefined): Known {
  const others = Object.fromEntries(Object.entries(verdicts).filter(([name]) => name !== device));
  return { ...rest, verdicts: now ? { ...others, [device]: now } : others };
}

/** Whether a process that began to try a device is still there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A policy, with what its activations are computed in. */
export const policyKey = (hash: string, activations: string): string => `${hash} ${activations}`;

/** Another runtime, or a graph that is edited otherwise, may compute otherwise. `runtime`: `onnxruntime 1.30.0`; `engine`: see {@link engine}. */
export const verdictKey = (hash: string, activations: string, runtime: string, engine: number): string => `${policyKey(hash, activations)} ${runtime} ${String(engine)}`;
