import * as vscode from 'vscode';
import { PolicyError } from '../replay/policy';

export type RunProgress = vscode.Progress<{ message?: string; increment?: number }>;

/** One run after the other, each with its progress and its cancel from the moment that it is asked for. */
export class RunQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Rejects with PolicyError `cancelled` where the user stops it before its turn; from then on, `action` sees to that by the signal. */
  async add<T>(action: (progress: RunProgress, signal: AbortSignal) => Promise<T>): Promise<T> {
    const before = this.last;
    const isWaiting = this.waiting++ > 0;
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: 'Turnlens' };
    const run = Promise.resolve(
      vscode.window.withProgress(options, async (progress, token) => {
        const stopping = new AbortController();
        token.onCancellationRequested(() => stopping.abort(new PolicyError('cancelled', 'Cancelled.')));
        if (isWaiting) progress.report({ message: 'waiting for another run' });
        await orAborted(before, stopping.signal);
        return action(progress, stopping.signal);
      }),
    );
    this.last = Promise.allSettled([before, run]);
    return run.finally(() => this.waiting--);
  }
}

/** The same, or, where the signal is aborted first, a rejection with its reason. */
export function orAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
