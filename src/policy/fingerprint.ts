import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Size and times of a file. The second is that of any change: another file of the same size and age, moved or copied into its place, is told by it. */
export const stampOf = ({ size, mtimeMs, ctimeMs }: Stats): string => `${String(size)}:${String(mtimeMs)}:${String(ctimeMs)}`;

/** Sizes and times of files as one string: it changes when one of them does, appears or goes. */
export async function fingerprint(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(files.map((file) => stat(file).then(stampOf, () => 'none')));
  return parts.join();
}
