import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectCaches } from '../../../src/policy/collect';

const megabyte = 2 ** 20;

it('frees buffers that nobody holds before many of them lie about, and none that is held', async () => {
  const held = new Uint8Array(20 * megabyte).fill(1);
  const whole = new WeakRef(held.buffer);
  // In a function of its own, so that no variable here holds one.
  const dropped = (): WeakRef<ArrayBuffer> => new WeakRef(new ArrayBuffer(20 * megabyte));
  collectCaches();
  const first = dropped();
  // A weak reference holds what it refers to until the turn of the event loop is over.
  await setImmediate();
  for (let i = 0; i < 5; i++) {
    dropped();
    await setImmediate();
    collectCaches();
  }
  expect(first.deref()).toBeUndefined();
  expect(whole.deref()).toBe(held.buffer);
  expect(held[20 * megabyte - 1]).toBe(1);
});
