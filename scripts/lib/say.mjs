/** What a person can act on: printed as a sentence, without a stack. */
export class Refusal extends Error {}

/** One step, on standard error so that standard output stays a script's. @param {string} text */
export const say = (text) => void process.stderr.write(`${text}\n`);

/**
 * Runs a script's main function: a refusal becomes its sentence and exit code 1, anything else is a bug with its stack.
 * @param {() => Promise<number | void>} main returns the exit code, 0 when it returns nothing
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    say(error instanceof Refusal ? error.message : String(error instanceof Error ? error.stack : error));
    process.exitCode = 1;
  }
}
