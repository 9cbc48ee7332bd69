import type { Disposable } from 'vscode';

/** Calls `action` once for each key, `ms` after the last call for that key. */
export function debounced(ms: number, action: (key: string) => unknown): ((key: string) => void) & Disposable {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const call = (key: string): void => {
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
