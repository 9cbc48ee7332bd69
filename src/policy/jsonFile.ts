import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PolicyError } from '../replay/policy';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a file of a policy's folder that the system does not open or read. */
export function unreadable(file: string, error: unknown): PolicyError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return new PolicyError('bad-folder', `${file} cannot be read (${String(code ?? error)}).`);
}

/** The text of a file of a policy's folder, `undefined` where there is none. Rejects with PolicyError `bad-folder` where it cannot be read. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(file, error);
  }
}

/** The object in a JSON file of a policy's folder, `undefined` where there is no such file. Rejects with PolicyError `bad-folder` where it is no JSON object. */
export async function readObject(file: string): Promise<JsonObject | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const isPointer = text.startsWith('version https://git-lfs');
    const reason = isPointer ? 'it is a Git LFS pointer: run "git lfs pull" in its folder' : String(error instanceof Error ? error.message : error);
    throw new PolicyError('bad-folder', `${file} is not JSON (${reason}); take the one that came with the model.`);
  }
  if (!isObject(value)) throw new PolicyError('bad-folder', `${file} holds no JSON object; it is not the ${path.basename(file)} of a policy.`);
  return value;
}
