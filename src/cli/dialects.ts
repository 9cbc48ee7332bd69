import { readFile } from 'node:fs/promises';
import { parse, type ParseError } from 'jsonc-parser';
import type { Dialect } from '../trajectory/dialect';
import { tooDeep } from '../trajectory/json';
import { readUserDialects } from '../trajectory/userDialects';
import { UsageError } from './usage';

/** The option of every verb that reads rollouts. */
export const dialectsOption = { dialects: { type: 'string' } } as const;

export const dialectsHelp = `  --dialects FILE          dialects of your own, as in the setting turnlens.dialects: a
                           JSON list of them, or a settings.json that has that key
`;

/** Rejects with {@link UsageError} where the file is none of dialects. */
export async function readDialects(file: string | undefined): Promise<readonly Dialect[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--dialects: ${file} cannot be read (${error.code ?? error.message})`);
  });
  if (tooDeep(text) !== undefined) throw new UsageError(`--dialects: the brackets of ${file} nest too deep for dialects`);
  const faults: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, ''), faults, { allowTrailingComma: true });
  if (faults.length > 0) throw new UsageError(`--dialects: ${file} is not JSON`);
  const { dialects, problems } = readUserDialects(isSettings(value) ? value['turnlens.dialects'] : value);
  if (problems[0] !== undefined) throw new UsageError(`--dialects: ${file}: ${problems[0].replace(/\.$/, '')}`);
  return dialects;
}

const isSettings = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && Object.hasOwn(value, 'turnlens.dialects');
