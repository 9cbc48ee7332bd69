import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { BundledCli, type CliRun } from './cli';

export interface UsedCli {
  /** A folder for the files of these tests. */
  readonly scratch: string;
  /** Writes a file there and gives its path. */
  write(name: string, content: string | Uint8Array): string;
  run(...argv: string[]): Promise<CliRun>;
  start: BundledCli['start'];
  dist: BundledCli['dist'];
}

/** The command line for the tests of one file, which this builds before them and removes behind them. @param policyProcess see {@link BundledCli.build} */
export function useCli(policyProcess?: string): UsedCli {
  // Every test starts processes, on machines that may be busy.
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
  const scratch = mkdtempSync(path.join(tmpdir(), 'turnlens-files-'));
  let built: BundledCli | undefined;
  const cli = (): BundledCli => {
    if (!built) throw new Error('The command line is built before the first test, and not earlier.');
    return built;
  };
  beforeAll(async () => {
    built = await BundledCli.build(policyProcess);
  });
  afterAll(() => {
    built?.remove();
    rmSync(scratch, { recursive: true, force: true });
  });
  return {
    scratch,
    write(name, content) {
      const file = path.join(scratch, name);
      writeFileSync(file, content);
      return file;
    },
    run: (...argv) => cli().run(...argv),
    start: (argv, cache) => cli().start(argv, cache),
    dist: (name) => cli().dist(name),
  };
}
