import type { Disposable } from 'vscode';

type Keyed = ((key: string) => void) & Disposable;

/** Calls `action` once for each key, `ms` after the last call for that key. */
export const debounced = (ms: number, action: (key: string) => unknown): Keyed => later(ms, action, true);

/** The same `ms` after the first call for that key: however often it is called, `action` is not put off. */
export const gathered = (ms: number, action: (key: string) => unknown): Keyed => later(ms, action, false);

function later(ms: number, action: (key: string) => unknown, isPutOff: boolean): Keyed {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const call = (key: string): void => {
    if (!isPutOff && timers.has(key)) return;
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        action(key);
      }, ms),
    );
  };
  return Object.assign(call, {
    dispose: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  });
}
