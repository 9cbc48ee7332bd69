import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { batch, openFile } from '../../src/cli/records';
import { readOptions } from '../../src/cli/policy';
import type { Policy } from '../../src/replay/policy';
import { createScorer } from '../../src/scoring/createScorer';
import { openPolicy, policyIdentity } from '../../src/scoring/openPolicy';
import { memoryStore } from '../../src/scoring/store';
import { boundaryFigures } from './boundaries';
import { contest, type Contestants, type Usage, type Workload } from './contest';
import { figureText, type Figure } from './figures';
import { startPeer } from './peerProcess';
import { recorded } from './product';
import { graphForPeers } from './sameArithmetic';
import { syntheticTrajectory } from './synthetic';

const root = path.join(__dirname, '..');
const longest = path.join(root, 'media', 'samples', 'long.traj');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { policy: { type: 'string' }, input: { type: 'string', multiple: true }, json: { type: 'boolean', default: false }, files: { type: 'boolean', default: false }, turns: { type: 'string' }, 'turn-tokens': { type: 'string', default: '250' }, rounds: { type: 'string', default: '7' } },
  });
  const show = (figure: Figure): void => console.log(values.json ? JSON.stringify(figure) : figureText(figure));
  const figures: Figure[] = [];
  for (const f of await boundaryFigures(Number(values.rounds))) {
    figures.push(f);
    show(f);
  }
  if (values.files) return exitCode(figures);
  const folder = path.resolve(values.policy ?? path.join(root, 'media', 'policy'));

  const scratch = mkdtempSync(path.join(tmpdir(), 'turnlens-bench-'));
  const hashCache = path.join(scratch, 'hashes.json');
  const usageFile = path.join(scratch, 'usage.json');
  // No trunk stays warm between calls, so that every round runs the whole tree.
  const policy = openPolicy({ folder, hashCache, warmMegabytes: 0, processPath: path.join(__dirname, 'policyProcess.js'), env: { TURNLENS_BENCH_USAGE: usageFile } });
  const script = path.join(root, 'test', 'bench', 'peers', 'peer.mjs');
  const graph = await graphForPeers(folder, path.join(scratch, 'peers.onnx'));
  const [bareForks, naive] = await Promise.all([startPeer(script, 'bareForks', folder, graph), startPeer(script, 'naive', folder, graph)]);
  try {
    const info = await policy.describe();
    if (!values.json) console.log(`${info.name}: ${info.architecture}, ${info.device} ${info.dtype}, activations ${info.activations}, ${info.runtime}\n`);
    const noted = recorded(policy);
    const contestants: Contestants = {
      policy: noted.policy,
      recording: noted.recording,
      scorer: createScorer({ policy: noted.policy, identity: () => policyIdentity(folder, hashCache), store: memoryStore(), version: 'bench' }),
      bareForks,
      naive,
      endToken: endToken(folder),
      usage: () => JSON.parse(readFileSync(usageFile, 'utf8')) as Usage,
      loaded: (JSON.parse(readFileSync(usageFile, 'utf8')) as Usage).resident,
      quantised: info.dtype !== 'float32',
      rounds: Number(values.rounds),
    };
    const workloads = values.turns === undefined ? await readWorkloads(values.input ?? defaultInputs(), folder) : await synthetic(policy, Number(values.turns), Number(values['turn-tokens']));
    for (const workload of workloads) {
      for (const f of await contest(workload, contestants, path.join(scratch, 'requests.json'))) {
        figures.push(f);
        show(f);
      }
    }
    return exitCode(figures);
  } finally {
    bareForks.close();
    naive.close();
    await policy.dispose();
    rmSync(scratch, { recursive: true });
  }
}

const exitCode = (figures: readonly Figure[]): number => (figures.every((f) => f.holds) ? 0 : 1);

const synthetic = async (policy: Policy, turns: number, tokens: number): Promise<Workload[]> => [
  { name: `${String(turns)} turns of ${String(tokens)} tokens`, trajectories: [await syntheticTrajectory(policy, turns, tokens)], barred: true },
];

/** The longest sample, and one question's rollouts. */
const defaultInputs = (): string[] => [longest, path.join(root, 'media', 'samples', 'group.jsonl')];

/** Of each file its first trajectory, or the rollouts of its first question that has several. */
async function readWorkloads(files: readonly string[], policy: string): Promise<Workload[]> {
  const reading = await readOptions(policy);
  const signal = new AbortController().signal;
  const workloads: Workload[] = [];
  for (const name of files) {
    const file = await openFile(name, signal);
    if (typeof file === 'string') throw new Error(`${name}: ${file}`);
    if (file.kind.kind === 'foreign') throw new Error(`${name}: ${file.kind.message}`);
    const { batches } = await batch(file, reading, signal);
    const chosen = batches.find((b) => b.length > 1) ?? batches[0] ?? [];
    const trajectories = [];
    for (const { record } of chosen) {
      const read = await file.read(record, reading);
      if (read.kind === 'trajectory') trajectories.push(read.trajectory);
    }
    await file.close();
    if (trajectories.length === 0) throw new Error(`${name}: no trajectory to measure`);
    workloads.push({ name: `${path.basename(name)}${trajectories.length > 1 ? ` (${trajectories.length} rollouts)` : ''}`, trajectories, barred: trajectories.length === 1 });
  }
  return workloads;
}

/** The token that ends a message by the tokenizer's own configuration. */
function endToken(folder: string): string | undefined {
  const file = path.join(folder, 'tokenizer_config.json');
  if (!existsSync(file)) return undefined;
  const { eos_token: token } = JSON.parse(readFileSync(file, 'utf8')) as { eos_token?: string | { content: string } | null };
  return typeof token === 'object' ? token?.content : token;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);
