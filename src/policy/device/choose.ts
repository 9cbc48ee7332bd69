import { deviceRemedy, devicesFor, type Device, type DeviceChoice, type DeviceRefusal, type DeviceReport, type Parity } from '../../replay/device';
import { PolicyError } from '../../replay/policy';
import type { TokenIds } from '../../replay/requests';
import type { OpenDecoder } from '../openDecoder';
import { reasonOf } from './available';
import { endedTrying, isRunning, type DeviceMemory, type Verdict } from './memory';
import { parityOf, probe, type Probed } from './probe';

export interface ChooseOptions {
  readonly choice: DeviceChoice;
  /** As Node names it. */
  readonly platform: string;
  /** Whether a device is there at all: `undefined`, or the reason why not. */
  there(device: Device): Promise<string | undefined>;
  open(device: Device): Promise<OpenDecoder>;
  /** Of the probe; asked for once the policy was opened. */
  tokens(): TokenIds;
  /** Nats that a device may differ by from the CPU. */
  readonly tolerance: number;
  readonly memory: DeviceMemory;
  /** Under which it is remembered what `auto` came to. */
  readonly autoKey: string;
  /** Under which verdicts are remembered. */
  readonly verdictKey: string;
  /** Of the process that started this one. */
  readonly session: string;
  /** Before each step that may take as long as a load. */
  alive(): void;
}

interface OnDevice {
  readonly open: OpenDecoder;
  readonly device: Device;
  readonly report: DeviceReport;
}

/** Up to so many query tokens GroupQueryAttention is right even where a device's kernel for more of them is not. */
const shortRun = 31;

/**
 * Loads the policy on the device asked for or, with `auto`, on the first of the machine's that is there, agrees with the CPU and is no slower.
 * Rejects with PolicyError: a device that was asked for by name is never replaced by another.
 */
export async function chooseDevice(options: ChooseOptions): Promise<OnDevice> {
  return new Choice(options).make();
}

class Choice {
  readonly #tried: DeviceRefusal[] = [];
  #cpu: Probed | undefined;

  constructor(readonly o: ChooseOptions) {}

  async make(): Promise<OnDevice> {
    const { choice, platform, memory, autoKey } = this.o;
    for (const device of devicesFor(choice, platform)) {
      const found = device === 'cpu' ? { open: await this.o.open('cpu') } : await this.#try(device);
      if (typeof found === 'string') {
        if (choice !== 'auto') throw new PolicyError('load-failed', `The policy does not run on ${device}: ${found}; ${deviceRemedy(device, platform)}, or choose auto.`);
        this.#tried.push({ device, reason: found });
        continue;
      }
      if (choice === 'auto') await memory.keepAuto(autoKey, device);
      const { open, ...parity } = found;
      return { open, device, report: { asked: choice, tried: this.#tried, ...parity } };
    }
    throw new PolicyError('load-failed', 'The policy runs on no device of this machine; choose cpu.');
  }

  /** The policy on `device`, or why not: a part of a sentence. */
  async #try(device: Device): Promise<{ open: OpenDecoder; parity: Parity } | string> {
    const { memory, verdictKey: key } = this.o;
    const known = await memory.verdict(key, device);
    // Who asks for a device by name wants it tried again.
    const why = this.o.choice === 'auto' ? this.#remembered(known) : undefined;
    if (why !== undefined) return why;
    // Said before the device is touched at all: a driver may end this process.
    const trying: Verdict = { kind: 'trying', process: process.pid, session: this.o.session, ...(isUnsettled(known) ? { again: true } : {}) };
    await memory.keep(key, device, trying);
    const absent = await this.o.there(device);
    await memory.keep(key, device, known?.kind === 'agrees' ? known : undefined);
    if (absent !== undefined) return absent;
    // What goes wrong on the CPU is wrong with the policy, not with the device.
    const reference = known?.kind === 'agrees' ? undefined : await this.#reference();
    try {
      await memory.keep(key, device, trying);
      this.o.alive();
      const open = await this.o.open(device);
      if (known?.kind === 'agrees') {
        await memory.keep(key, device, known);
        return { open: withRuns(open, known.parity.longestRun), parity: known.parity };
      }
      return await this.#compare(device, open, reference);
    } catch (error) {
      await memory.keep(key, device, undefined);
      return reasonOf(error);
    }
  }

  /**
   * Whoever started a process that ends by itself has noted that as a refusal. One that was ended from outside, or together with what started it,
   * may have had nothing to do with the device: that counts in the same session, and where it happens a second time.
   */
  #remembered(known: Verdict | undefined): string | undefined {
    if (known?.kind === 'refused') return known.reason;
    return isUnsettled(known) && (known.again === true || known.session === this.o.session) ? endedTrying : undefined;
  }

  async #compare(device: Device, open: OpenDecoder, reference: Probed | undefined): Promise<{ open: OpenDecoder; parity: Parity } | string> {
    try {
      const parity = await this.#parity(open, reference);
      const reason = this.#shortcoming(parity);
      // Of what was asked for by name, the figures are told and the device is used, unless they are none.
      const refused = reason !== undefined && (this.o.choice === 'auto' || !Number.isFinite(parity.difference));
      await this.o.memory.keep(this.o.verdictKey, device, reason === undefined ? { kind: 'agrees', parity } : { kind: 'refused', reason });
      if (!refused) return { open: withRuns(open, parity.longestRun), parity };
      await open.decoder.release();
      return reason;
    } catch (error) {
      await open.decoder.release();
      throw error;
    }
  }

  async #parity({ decoder, cost }: OpenDecoder, reference: Probed | undefined): Promise<Parity> {
    const { tolerance } = this.o;
    const tokens = this.o.tokens();
    if (!reference) throw new TypeError('no probe of the CPU');
    const whole = parityOf(reference, await probe(decoder, tokens, cost.longestRun), tolerance);
    if (whole.difference <= tolerance) return whole;
    const short = parityOf(reference, await probe(decoder, tokens, shortRun), tolerance, shortRun);
    return short.difference <= tolerance ? short : whole;
  }

  #shortcoming({ difference, tolerance, milliseconds, cpuMilliseconds }: Parity): string | undefined {
    if (!(difference <= tolerance)) return `it differs from the CPU by ${Number.isFinite(difference) ? difference.toPrecision(2) : 'what is no number'} nats in a log-probability, and ${String(tolerance)} is the most that is allowed`;
    if (milliseconds > cpuMilliseconds) return `it is slower than the CPU with this policy (a short run takes ${ms(milliseconds)} against ${ms(cpuMilliseconds)} ms)`;
    return undefined;
  }

  /** The CPU comes first and is released before the device is loaded, so that a large policy is never held twice. */
  async #reference(): Promise<Probed> {
    if (this.#cpu) return this.#cpu;
    this.o.alive();
    const { decoder, cost } = await this.o.open('cpu');
    try {
      this.#cpu = await probe(decoder, this.o.tokens(), cost.longestRun);
    } finally {
      await decoder.release();
    }
    return this.#cpu;
  }
}

/** Whether a process that tried a device is gone without a word. */
const isUnsettled = (known: Verdict | undefined): known is Extract<Verdict, { kind: 'trying' }> => known?.kind === 'trying' && !isRunning(known.process);

const withRuns = (open: OpenDecoder, longestRun: number | undefined): OpenDecoder => (longestRun === undefined ? open : { ...open, cost: { ...open.cost, longestRun } });
const ms = (value: number): string => (value < 100 ? value.toPrecision(2) : value.toFixed(0));
