import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { devices, type Device } from '../../replay/device';
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
  /** A process began to try it, and has not said how it went. */
  z.object({ kind: z.literal('trying'), process: z.number() }),
]);
const policy = z.object({ verdicts: z.record(z.string(), verdict), auto: z.enum(devices).optional() });
const memoryFile = z.object({ version: z.literal(1), policies: z.record(z.string(), policy) });
type Policies = z.infer<typeof memoryFile>['policies'];

export type Verdict = z.infer<typeof verdict>;

const mostRemembered = 200;

/** What this process found out, with or without a file to keep it in. */
const here = new Map<string, Policies[string]>();

/** How a policy fared on each device, and what `auto` came to, in a JSON file beside the hashes. A damaged or missing file is an empty one. */
export class DeviceMemory {
  readonly #file: string | undefined;

  /** `hashCache`: absent, nothing is kept between processes. */
  constructor(hashCache: string | undefined) {
    this.#file = hashCache === undefined ? undefined : path.join(path.dirname(hashCache), 'devices.json');
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
    await this.#change(key, ({ verdicts, ...rest }) => {
      const others = Object.fromEntries(Object.entries(verdicts).filter(([name]) => name !== device));
      return { ...rest, verdicts: now ? { ...others, [device]: now } : others };
    });
  }

  async keepAuto(key: string, device: Device): Promise<void> {
    if ((await this.auto(key)) !== device) await this.#change(key, (known) => ({ ...known, auto: device }));
  }

  async #read(key: string): Promise<Policies[string] | undefined> {
    return this.#file === undefined ? here.get(key) : (await readMemory(this.#file))[key];
  }

  /** Read anew, since other processes write it too, and written through a rename so that no reader sees half of it. */
  async #change(key: string, change: (known: Policies[string]) => Policies[string]): Promise<void> {
    const changed = change((await this.#read(key)) ?? { verdicts: {} });
    if (this.#file === undefined) {
      here.set(key, changed);
      return;
    }
    const policies = new Map(Object.entries(await readMemory(this.#file)));
    policies.delete(key);
    policies.set(key, changed);
    const temporary = `${this.#file}.${String(process.pid)}`;
    try {
      await mkdir(path.dirname(this.#file), { recursive: true });
      await writeFile(temporary, JSON.stringify({ version: 1, policies: Object.fromEntries([...policies].slice(-mostRemembered)) }));
      await rename(temporary, this.#file);
    } catch {
      // What cannot be kept is found out again the next time.
    }
  }
}

/** A policy, with what its activations are computed in. */
export const policyKey = (hash: string, activations: string): string => `${hash} ${activations}`;

/** Another runtime may compute otherwise. `runtime`: `onnxruntime 1.30.0`. */
export const verdictKey = (hash: string, activations: string, runtime: string): string => `${policyKey(hash, activations)} ${runtime}`;

async function readMemory(file: string): Promise<Policies> {
  try {
    const parsed = memoryFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data.policies : {};
  } catch {
    return {};
  }
}
