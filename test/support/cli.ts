import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bundleOne } from '../../scripts/lib/bundle.mjs';
import { root } from './fixtures';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as it ships, bundled from the sources as they are into a place of its own, with a cache that no other test sees. */
export class BundledCli {
  readonly #place = mkdtempSync(path.join(tmpdir(), 'turnlens-cli-'));

  /** @param policyProcess what runs as the policy's process: its entry file */
  static async build(policyProcess = 'src/policy/process.ts'): Promise<BundledCli> {
    const built = new BundledCli();
    for (const name of ['media', 'node_modules']) symlinkSync(path.join(root, name), path.join(built.#place, name), 'junction');
    const without = /^\b$/;
    await bundleOne(built.dist('turnlens.js'), { entry: 'src/cli/main.ts', external: [], without });
    await bundleOne(built.dist('policyProcess.js'), { entry: policyProcess, external: ['onnxruntime-node'], without });
    return built;
  }

  dist(name: string): string {
    return path.join(this.#place, 'dist', name);
  }

  start(argv: readonly string[], cache = 'cache'): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [this.dist('turnlens.js'), ...argv], { env: { ...process.env, XDG_CACHE_HOME: path.join(this.#place, cache) } });
  }

  /** Runs it to its end. */
  async run(...argv: string[]): Promise<CliRun> {
    const child = this.start(argv);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return { code: await exitOf(child), stdout, stderr };
  }

  remove(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}

export const exitOf = (child: ChildProcessWithoutNullStreams): Promise<number | null> =>
  new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));

/** The objects of standard output, one a line. */
export const jsonLines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
