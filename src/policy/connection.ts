import { fork, type ChildProcess } from 'node:child_process';
import { PolicyError } from '../replay/policy';
import type { ReplayResult } from '../replay/requests';
import { endedFromOutside, exitError } from './exit';
import type { Calls, FromPolicy, Method, ToPolicy } from './protocol';

export interface ConnectionEvents {
  state(state: 'hashing' | 'loading'): void;
  alive(milliseconds?: number): void;
  /** A line of the process's output. */
  log(line: string): void;
  /**
   * The process is gone, by itself or by {@link Connection.kill}; every open call has been rejected. `idle`: it was at work on none of them.
   * `outside`: neither a crash of its own nor a hang ended it.
   */
  ended(error: PolicyError, idle: boolean, outside: boolean): void;
}

/** The process had ended, by itself, before it took the call. */
export class NeverTaken extends PolicyError {}

export interface CallEvents {
  result?(index: number, result: ReplayResult): void;
  tokens?(done: number, total: number): void;
}

interface OpenCall {
  readonly on: CallEvents;
  taken: boolean;
  resolve(answer: Calls[Method]['answer']): void;
  reject(error: PolicyError): void;
}

/** Kept of standard error for the reason of an exit, characters. */
const lastWordsLength = 4000;

/**
 * Electron's executable behaves as Node with the first. Without the second ONNX Runtime's builds for Linux and macOS report every model that they load to
 * its makers, and keep a number for the machine.
 */
const childEnvironment = { ELECTRON_RUN_AS_NODE: '1', ORT_DISABLE_TELEMETRY: '1' } as const;

/** One policy's process, from its start to its end. */
export class Connection {
  readonly #child: ChildProcess;
  readonly #on: ConnectionEvents;
  readonly #calls = new Map<number, OpenCall>();
  #lastCall = 0;
  #lastWords = '';
  #end: PolicyError | undefined;

  constructor(processPath: string, env: NodeJS.ProcessEnv | undefined, on: ConnectionEvents) {
    this.#on = on;
    this.#child = fork(processPath, [], {
      serialization: 'advanced',
      execArgv: [],
      env: { ...process.env, ...env, ...childEnvironment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    } as Parameters<typeof fork>[2]);
    this.#child.on('message', (message: FromPolicy) => { this.#receive(message); });
    this.#child.on('error', (error) => { this.#ended(new PolicyError('crashed', `The policy's process could not be started (${error.message}).`)); });
    // 'close' comes after the output has been read to its end.
    this.#child.on('close', (code, signal) => { this.#ended(this.#end ?? exitError(code, signal, this.#lastWords), { outside: endedFromOutside(code, signal) }); });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => { this.#write(text); });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength);
      this.#write(text);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Calls that wait for an answer. */
  get open(): number {
    return this.#calls.size;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Asks the process; the number names the call for {@link cancel}. The answer rejects with PolicyError. */
  call<M extends Method>(method: M, ask: Calls[M]['ask'], on: CallEvents = {}): { readonly call: number; readonly answer: Promise<Calls[M]['answer']> } {
    const call = ++this.#lastCall;
    const answer = new Promise<Calls[M]['answer']>((resolve, reject) => {
      if (this.#end) {
        reject(new NeverTaken(this.#end.code, this.#end.message));
        return;
      }
      // The process answers a call with its own method's answer.
      this.#calls.set(call, { on, taken: false, resolve: resolve as OpenCall['resolve'], reject });
      this.#send({ kind: 'call', call, method, ask } as ToPolicy);
    });
    return { call, answer };
  }

  /** Asks the process to stop a call between two runs. */
  cancel(call: number): void {
    if (this.#calls.has(call)) this.#send({ kind: 'cancel', call });
  }

  /** Ends the process now; open calls are rejected with `reason`. Resolves when it is gone. */
  async kill(reason: PolicyError): Promise<void> {
    const gone = new Promise<void>((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) resolve();
      else this.#child.once('exit', () => { resolve(); });
    });
    this.#child.kill('SIGKILL');
    this.#ended(reason, { killed: true, outside: reason.code !== 'hung' });
    await gone;
  }

  #send(message: ToPolicy): void {
    // A send that fails is followed by 'close', which rejects the call.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: FromPolicy): void {
    if (this.#end) return;
    this.#on.alive(message.kind === 'alive' ? message.milliseconds : undefined);
    if (message.kind === 'alive') return;
    if (message.kind === 'state') {
      this.#on.state(message.state);
      return;
    }
    const open = this.#calls.get(message.call);
    if (!open) return;
    if (message.kind === 'taken') open.taken = true;
    else if (message.kind === 'result') open.on.result?.(message.index, message.result);
    else if (message.kind === 'tokens') open.on.tokens?.(message.done, message.total);
    else {
      this.#calls.delete(message.call);
      if (message.kind === 'answer') open.resolve(message.answer);
      else open.reject(new PolicyError(message.code, message.message));
    }
  }

  #ended(error: PolicyError, { killed = false, outside = true } = {}): void {
    if (this.#end) return;
    this.#end = error;
    const open = [...this.#calls.values()];
    this.#calls.clear();
    for (const { taken, reject } of open) reject(taken || killed ? error : new NeverTaken(error.code, error.message));
    this.#on.ended(error, !open.some(({ taken }) => taken), outside);
  }

  #write(text: string): void {
    for (const line of text.split('\n')) if (line.trim() !== '') this.#on.log(line.trimEnd());
  }
}
