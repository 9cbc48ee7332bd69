import { expect, it } from 'vitest';
import { collectCaches } from '../../../src/policy/collect';

const megabyte = 2 ** 20;

it('frees buffers that nobody holds before many of them lie about, and none that is held', () => {
  const held = new Float32Array(megabyte).fill(1);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let i = 0; i < 30; i++) {
    drop(20 * megabyte);
    collectCaches();
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(most).toBeLessThan(100 * megabyte);
  expect(held.every((x) => x === 1)).toBe(true);
});

/** In a function of its own, so that no variable of the loop holds it. */
function drop(bytes: number): void {
  expect(new Uint8Array(bytes)).toHaveLength(bytes);
}
