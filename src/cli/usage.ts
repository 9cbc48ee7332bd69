import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Wrong use, in one sentence for the person who typed it; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T; strict: true; allowPositionals: true }>>;

/** node:util's parser, strict, with its errors in one sentence each. */
export function parse<T extends Options>(argv: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [, option, ambiguous] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (?:missing|(is ambiguous))/.exec(message) ?? [];
    if (option !== undefined) throw new UsageError(`${option} wants a value${ambiguous === undefined ? '' : `; one that begins with a dash is written ${option}=-…`}`);
    throw new UsageError(message.split(/\.\s|\n/)[0]?.replace(/\.$/, '') ?? message);
  }
}

/** One of `choices`; `what` is the option as typed, `--metric`. */
export function choice<T extends string>(what: string, given: string, choices: readonly T[]): T {
  const found = choices.find((c) => c === given);
  if (found === undefined) throw new UsageError(`${what} knows no "${given}"; choose from ${choices.join(', ')}`);
  return found;
}

/** A finite number that is not negative. */
export function amount(what: string, given: string): number {
  const n = given.trim() === '' ? Number.NaN : Number(given);
  if (!Number.isFinite(n) || n < 0) throw new UsageError(`${what} wants a number that is not negative, not "${given}"`);
  return n;
}

/** A record's number, counted from 0. */
export function recordNumber(given: string): number {
  if (!/^\d{1,15}$/.test(given)) throw new UsageError(`--record wants a record's number, counted from 0, not "${given}"`);
  return Number(given);
}
