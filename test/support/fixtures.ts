import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where tests find what they read. */

export const root = path.resolve(import.meta.dirname, '..', '..');
export const demoPolicy = path.join(root, 'media', 'policy');
export const samples = path.join(root, 'media', 'samples');

export const sampleNames = (): string[] => readdirSync(samples).filter((name) => name.endsWith('.traj'));

/**
 * A path in the folder of larger material that may lie beside the repository (other exports of the demo policy, its checkpoints).
 * Absent: a test that needs it skips and says so.
 */
export function shared(...parts: readonly string[]): string | undefined {
  const file = path.join(root, '..', 'shared', ...parts);
  return existsSync(file) ? file : undefined;
}
