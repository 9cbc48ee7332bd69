import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleOne } from '../../scripts/lib/bundle.mjs';
import { root } from './fixtures';

const nothing = /^\b$/;

/** A bundled policy process that breaks on demand, in a folder of this test file's own. */
export interface FaultyProcess {
  readonly path: string;
  /** `crash 3`: dies after three more runs of the model. See faultyPolicyProcess.ts. */
  order(fault: 'crash' | 'kill' | 'hang' | 'memory', runs: number): void;
  remove(): void;
}

/** Bundles faultyPolicyProcess.ts inside the repository, where the runtime's package is found. */
export async function faultyProcess(name: string): Promise<FaultyProcess> {
  const folder = path.join(root, 'out', `${name}-${String(process.pid)}`);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'faultyPolicyProcess.js');
  await bundleOne(path.relative(root, file), { entry: 'test/support/faultyPolicyProcess.ts', external: ['onnxruntime-node'], without: nothing });
  return {
    path: file,
    order: (fault, runs) => { writeFileSync(path.join(folder, 'fault'), `${fault} ${String(runs)}`); },
    remove: () => { rmSync(folder, { recursive: true, force: true }); },
  };
}
