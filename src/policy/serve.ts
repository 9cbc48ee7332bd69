import { PolicyError, type ReplayStats, type TokenizedPiece } from '../replay/policy';
import type { Piece, ReplayRequest } from '../replay/requests';
import { PieceError } from './encoder';
import { replay, replayCost } from './executor';
import { loadPolicy, type LoadedPolicy } from './load';
import { outOfMemory } from './outOfMemory';
import type { Call, FromPolicy, ToPolicy } from './protocol';
import { WarmTrunks } from './warm';

/** The policy's end of the connection. */
export interface Port {
  send(message: FromPolicy): void;
}

/** Between signs of life and of progress while runs are short, milliseconds. */
const quietMilliseconds = 50;

/** Answers calls over `port`, one after the other. */
export class PolicyServer {
  readonly #port: Port;
  readonly #afterRun: () => void;
  /** Calls that have not been answered. */
  readonly #open = new Set<number>();
  #queue: Promise<void> = Promise.resolve();
  #policy: LoadedPolicy | undefined;
  #warm = new WarmTrunks();
  #current = 0;
  #cancelled = false;
  #spoke = 0;

  /** `afterRun`: called after each run of the model; tests break the process there. */
  constructor(port: Port, afterRun: () => void = () => undefined) {
    this.#port = port;
    this.#afterRun = afterRun;
  }

  /** Takes one message of the parent. */
  receive(message: ToPolicy): void {
    if (message.kind === 'cancel') {
      this.#cancel(message.call);
      return;
    }
    this.#open.add(message.call);
    this.#port.send({ kind: 'taken', call: message.call });
    this.#queue = this.#queue.then(() => this.#answer(message));
  }

  /** The call being answered stops between two runs; one that waits is answered at once. */
  #cancel(call: number): void {
    if (call === this.#current) this.#cancelled = true;
    else if (this.#open.delete(call)) this.#port.send({ kind: 'failure', call, ...asFailure(cancelled()) });
  }

  async #answer(message: Call): Promise<void> {
    const { call } = message;
    if (!this.#open.has(call)) return;
    this.#current = call;
    this.#cancelled = false;
    try {
      this.#port.send({ kind: 'answer', call, answer: await this.#perform(message) });
    } catch (error) {
      this.#port.send({ kind: 'failure', call, ...asFailure(error) });
    } finally {
      this.#open.delete(call);
      this.#current = 0;
    }
  }

  async #perform(message: Call): Promise<Extract<FromPolicy, { kind: 'answer' }>['answer']> {
    switch (message.method) {
      case 'load':
        this.#policy ??= await loadPolicy(message.ask, {
          state: (state) => { this.#port.send({ kind: 'state', state }); },
          alive: (milliseconds) => { this.#alive(milliseconds); },
        });
        if (message.ask.warmBytes !== undefined && message.ask.warmBytes !== this.#warm.budget) this.#warm = new WarmTrunks(message.ask.warmBytes);
        return { info: this.#policy.info, sources: this.#policy.sources, fingerprint: this.#policy.fingerprint };
      case 'tokenize':
        return message.ask.pieces.map((piece) => this.#tokenize(piece));
      case 'plan':
        return replayCost(message.ask.requests, this.#loaded(), () => {
          this.#alive(0);
          this.#check();
        });
      case 'run':
        return this.#run(message.call, message.ask.requests, message.ask.anew === true);
    }
  }

  #tokenize(piece: Piece): TokenizedPiece {
    const { encoder } = this.#loaded();
    const { ids, text, encoded } = encoder.encode(piece, false);
    const offsets = 'text' in piece && encoded && text === piece.text ? encoder.tokenizer.offsets(text, encoded) : undefined;
    return { ids, ...(offsets ? { offsets } : {}) };
  }

  #run(call: number, requests: readonly ReplayRequest[], anew: boolean): Promise<ReplayStats> {
    const policy = this.#loaded();
    // What stays warm is cut and kept in this process's own memory.
    return replay(requests, anew || policy.decoder.resident ? policy : { ...policy, warm: this.#warm }, {
      result: (index, result) => { this.#port.send({ kind: 'result', call, index, result }); },
      check: () => {
        this.#alive(0);
        this.#check();
      },
      ran: (milliseconds, done, total) => {
        this.#afterRun();
        this.#check();
        if (this.#alive(milliseconds) || done === total) this.#port.send({ kind: 'tokens', call, done, total });
      },
    });
  }

  /** A sign of life, unless one was just given and the step was short. Returns whether it was given. */
  #alive(milliseconds: number): boolean {
    const now = performance.now();
    if (milliseconds < quietMilliseconds && now - this.#spoke < quietMilliseconds) return false;
    this.#spoke = now;
    this.#port.send({ kind: 'alive', milliseconds });
    return true;
  }

  #loaded(): LoadedPolicy {
    if (!this.#policy) throw new PolicyError('load-failed', 'The policy is not loaded; select it again.');
    return this.#policy;
  }

  #check(): void {
    if (this.#cancelled) throw cancelled();
  }
}

const cancelled = (): PolicyError => new PolicyError('cancelled', 'Cancelled.');

function asFailure(error: unknown): Pick<PolicyError, 'code' | 'message'> {
  if (error instanceof PolicyError) return { code: error.code, message: error.message };
  if (error instanceof PieceError) return { code: 'run-failed', message: error.message };
  const message = String(error instanceof Error ? error.message : error);
  if (outOfMemory(message)) return { code: 'out-of-memory', message: 'The policy ran out of memory; close other programs or select a smaller policy, then score again.' };
  // A bug of ours: the stack goes to the log, the sentence to the user.
  process.stderr.write(`${error instanceof Error ? (error.stack ?? message) : message}\n`);
  return { code: 'run-failed', message: `The policy's process could not do this (${message.split('\n')[0] ?? ''}); the log has more.` };
}
