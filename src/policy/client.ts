import { PolicyError, type Policy, type PolicyInfo, type ReplayCost, type ReplayProgress, type ReplayStats, type TokenizedPiece } from '../replay/policy';
import type { PolicyChoices } from '../replay/policyChoices';
import type { Piece, ReplayRequest } from '../replay/requests';
import { Connection, NeverTaken, type CallEvents } from './connection';
import { DeviceMemory, thisSession } from './device/memory';
import { fingerprint } from './fingerprint';
import type { Calls, LoadAnswer, Method } from './protocol';
import { defaultPatience, Watchdog, type Patience } from './watchdog';

/** What is known of a policy without asking it. */
export type PolicyState =
  | { readonly kind: 'unloaded' }
  | { readonly kind: 'hashing' | 'loading' }
  | { readonly kind: 'ready'; readonly info: PolicyInfo }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: PolicyError };

export interface PolicyProcessOptions extends PolicyChoices {
  readonly folder: string;
  /** The bundled process.ts. */
  readonly processPath: string;
  /** A JSON file that keeps the hashes of large files. */
  readonly hashCache?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly patience?: Patience;
  /** Without a call for so long, the process ends: a GPU is shared. The next call starts it again. 0: never. Default: 10. */
  readonly idleUnloadMinutes?: number;
  /** Keys and values of the last trajectories that the process keeps, megabytes. 0: none. Default: 256. */
  readonly warmMegabytes?: number;
  readonly on?: {
    state?(state: PolicyState): void;
    /** No sign of life for so long: wait on, or end the process. Absent: it is waited for. */
    silent?(forMs: number): Promise<'wait' | 'restart'>;
    log?(line: string): void;
  };
}

/** How long a cancelled run may take to stop before its process is ended, milliseconds. */
const cancelGrace = 3000;

const defaultIdleMinutes = 10;

/** A policy in a process of its own. The process starts with the first call, and again with the first call after it has ended. */
export class PolicyProcess implements Policy {
  readonly #options: PolicyProcessOptions;
  readonly #watchdog: Watchdog;
  #connection: Connection | undefined;
  #loading: Promise<LoadAnswer> | undefined;
  #info: PolicyInfo | undefined;
  /** Whether a process that ended by itself has been noted beside the device that it was trying. */
  #noted: Promise<void> = Promise.resolve();
  #asking = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PolicyProcessOptions) {
    this.#options = options;
    this.#watchdog = new Watchdog(options.patience ?? defaultPatience, (forMs) => void this.#silent(forMs));
  }

  async describe(signal?: AbortSignal): Promise<PolicyInfo> {
    if (signal?.aborted) throw cancelled();
    await this.#endOutdated();
    clearTimeout(this.#idle);
    this.#loading ??= this.#load(this.#connect());
    return (await abortable(this.#loading, signal)).info;
  }

  async tokenize(pieces: readonly Piece[], signal?: AbortSignal): Promise<readonly TokenizedPiece[]> {
    return this.#call('tokenize', { pieces }, {}, signal);
  }

  async plan(requests: readonly ReplayRequest[], signal?: AbortSignal): Promise<ReplayCost> {
    return this.#call('plan', { requests }, {}, signal);
  }

  async run(requests: readonly ReplayRequest[], on: ReplayProgress, signal?: AbortSignal, anew = false): Promise<ReplayStats> {
    const events: CallEvents = {
      result: (index, result) => { on.result(index, result); },
      tokens: (done, total) => { on.tokens?.(done, total); },
    };
    return this.#call('run', { requests, anew }, events, signal);
  }

  async dispose(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    const loading = this.#loading !== undefined && !this.#info;
    await connection.kill(cancelled());
    if (loading) await new DeviceMemory(this.#options.hashCache).forgetTried();
  }

  /** Ends an idle process whose folder has changed since: its numbers would be those of files that are no more. */
  async #endOutdated(): Promise<void> {
    const connection = this.#connection;
    if (!this.#info || !this.#loading || connection?.open !== 0) return;
    const loaded = await this.#loading;
    const now = await fingerprint(loaded.sources);
    if (now !== loaded.fingerprint && connection === this.#connection && connection.open === 0) await connection.kill(cancelled());
  }

  #connect(): Connection {
    if (this.#connection) return this.#connection;
    const { processPath, env, on } = this.#options;
    const connection: Connection = new Connection(processPath, env, {
      state: (kind) => { on?.state?.({ kind }); },
      alive: (milliseconds) => { this.#watchdog.alive(milliseconds); },
      log: (line) => { on?.log?.(line); },
      ended: (error, idle, outside) => {
        if (!outside && connection.pid !== undefined) this.#noted = new DeviceMemory(this.#options.hashCache).blame(connection.pid);
        this.#ended(connection, error, idle);
      },
    });
    this.#connection = connection;
    return connection;
  }

  #ended(connection: Connection, error: PolicyError, idle: boolean): void {
    if (this.#connection !== connection) return;
    this.#watchdog.stop();
    clearTimeout(this.#idle);
    // One that was loaded and at rest is missed by nobody: the next call starts another.
    const missed = !(idle && this.#info);
    if (!missed) this.#options.on?.log?.(`Ended while idle: ${error.message}`);
    this.#connection = undefined;
    this.#loading = undefined;
    this.#info = undefined;
    this.#options.on?.state?.(error.code === 'cancelled' || !missed ? { kind: 'unloaded' } : { kind: 'failed', error });
  }

  async #load(connection: Connection): Promise<LoadAnswer> {
    const { folder, hashCache, contract, activations, device, warmMegabytes, on } = this.#options;
    const ask = {
      folder,
      session: thisSession,
      ...(hashCache === undefined ? {} : { hashCache }),
      ...(contract === undefined ? {} : { contract }),
      ...(activations === undefined ? {} : { activations }),
      ...(device === undefined ? {} : { device }),
      ...(warmMegabytes === undefined ? {} : { warmBytes: warmMegabytes * 2 ** 20 }),
    };
    try {
      await this.#noted;
      const loaded = await this.#watched(connection.call('load', ask).answer, connection);
      this.#info = loaded.info;
      on?.state?.({ kind: 'ready', info: loaded.info });
      return loaded;
    } catch (error) {
      // Tried anew by the next call: the folder may have been put right meanwhile.
      this.#loading = undefined;
      if (error instanceof PolicyError && !connection.ended) on?.state?.({ kind: 'failed', error });
      throw error;
    }
  }

  /** A process that ended at rest may be found gone only when it is asked: another one takes the call then. */
  async #call<M extends Method>(method: M, ask: Calls[M]['ask'], on: CallEvents, signal: AbortSignal | undefined): Promise<Calls[M]['answer']> {
    try {
      return await this.#callOnce(method, ask, on, signal);
    } catch (error) {
      if (!(error instanceof NeverTaken)) throw error;
      return this.#callOnce(method, ask, on, signal);
    }
  }

  async #callOnce<M extends Method>(method: M, ask: Calls[M]['ask'], on: CallEvents, signal: AbortSignal | undefined): Promise<Calls[M]['answer']> {
    await this.describe(signal);
    if (signal?.aborted) throw cancelled();
    const connection = this.#connect();
    const { call, answer } = connection.call(method, ask, on);
    let grace: NodeJS.Timeout | undefined;
    const abort = (): void => {
      connection.cancel(call);
      grace = setTimeout(() => void connection.kill(cancelled()), cancelGrace);
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (method === 'run') this.#options.on?.state?.({ kind: 'running' });
    try {
      return await this.#watched(answer, connection);
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener('abort', abort);
      if (method === 'run' && connection.open === 0 && !connection.ended && this.#info) this.#options.on?.state?.({ kind: 'ready', info: this.#info });
    }
  }

  /** Waits for an answer with the watchdog on. */
  async #watched<T>(answer: Promise<T>, connection: Connection): Promise<T> {
    this.#watchdog.start();
    try {
      return await answer;
    } finally {
      if (connection.open === 0) {
        this.#watchdog.stop();
        this.#waitIdle(connection);
      }
    }
  }

  /** Unloads the policy unless a call comes before long. */
  #waitIdle(connection: Connection): void {
    clearTimeout(this.#idle);
    const minutes = this.#options.idleUnloadMinutes ?? defaultIdleMinutes;
    if (minutes <= 0 || connection.ended) return;
    this.#idle = setTimeout(() => {
      if (connection === this.#connection && connection.open === 0) void connection.kill(cancelled());
    }, minutes * 60_000);
    this.#idle.unref();
  }

  async #silent(forMs: number): Promise<void> {
    const connection = this.#connection;
    if (!connection || this.#asking) return;
    this.#asking = true;
    try {
      const choice = (await this.#options.on?.silent?.(forMs)) ?? 'wait';
      if (choice === 'restart' && connection === this.#connection) {
        const seconds = String(Math.round(forMs / 1000));
        await connection.kill(new PolicyError('hung', `The policy gave no sign of life for ${seconds} s and was ended; what was finished is kept, score again to go on.`));
      }
    } finally {
      this.#asking = false;
    }
  }
}

const cancelled = (): PolicyError => new PolicyError('cancelled', 'Cancelled.');

/** `promise`, or a rejection as soon as `signal` aborts; what was going on goes on. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => { reject(cancelled()); };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => { signal.removeEventListener('abort', abort); });
  });
}
