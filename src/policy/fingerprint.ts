import { stat } from 'node:fs/promises';

/** Sizes and times of files as one string: it changes when one of them does, appears or goes. */
export async function fingerprint(files: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size, mtimeMs }) => `${String(size)}:${String(mtimeMs)}`,
        () => 'none',
      ),
    ),
  );
  return parts.join();
}
