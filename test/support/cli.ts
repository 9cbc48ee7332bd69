import { spawn } from 'node:child_process';
import path from 'node:path';

import { bundleOne } from '../../scripts/lib/bundle.mjs';

const root = path.join(__dirname, '..', '..');
const nothing = /^\b$/;

/** Bundles the command line and the policy's process as they ship, beside media/, from the sources as they are. */
export async function bundleCli(): Promise<void> {
  await bundleOne('out/policyProcess.js', { entry: 'src/policy/process.ts', external: ['onnxruntime-node'], without: nothing });
  await bundleOne('out/turnlens.js', { entry: 'src/cli/main.ts', external: [], without: nothing });
}

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Where this run keeps its cache, so that no test sees another's. */
  readonly cache: string;
  readonly cwd?: string;
}

export const startCli = (argv: readonly string[], { cache, cwd = root }: CliOptions) =>
  spawn(process.execPath, [path.join(root, 'out', 'turnlens.js'), ...argv], { cwd, env: { ...process.env, XDG_CACHE_HOME: cache } });

/** Runs the bundled command line to its end. */
export async function cli(argv: readonly string[], options: CliOptions): Promise<CliRun> {
  const child = startCli(argv, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, stdout, stderr };
}

/** The objects of standard output, one a line. */
export const jsonLines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
