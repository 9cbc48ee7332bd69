import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes by which buffers outside of V8's heap grow from one collection to the next. */
const growth = 64 * 2 ** 20;

let collector: (() => void) | undefined;
let least = 0;

/**
 * Has the garbage collector free the caches that nobody holds any more. They are few, large and outside of V8's heap: left to itself the
 * collector takes its time, and as much again as is in use lies about.
 */
export function collectCaches(): void {
  const now = process.memoryUsage().arrayBuffers;
  least = Math.min(least, now);
  if (now - least < growth) return;
  collector ??= exposedCollector();
  collector();
  least = process.memoryUsage().arrayBuffers;
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  return typeof found === 'function' ? () => { found(); } : () => undefined;
}
