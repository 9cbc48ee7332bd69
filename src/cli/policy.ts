import path from 'node:path';
import { debuglog } from 'node:util';

import type { PolicyContract } from '../replay/contract';
import type { DeviceChoice } from '../replay/device';
import { PolicyError } from '../replay/policy';
import { createScorer } from '../scoring/createScorer';
import { openPolicy, policyIdentity } from '../scoring/openPolicy';
import type { ScoreOptions, ScoreProgress, Scorer } from '../scoring/scorer';
import type { TrajectoryScores } from '../scoring/model';
import type { ReplayPlan } from '../scoring/replayPlan';
import { diskStore } from '../scoring/diskStore';
import { layeredStore, memoryStore } from '../scoring/store';
import type { ReadOptions } from '../trajectory/file';
import type { Trajectory } from '../trajectory/model';
import { policyProcess } from './bundled';
import { openCacheFolder } from './cacheFolder';

const hashCacheIn = (cache: string | undefined): string | undefined => (cache === undefined ? undefined : path.join(cache, 'hashes.json'));

/** What reading a file needs of a policy: how its prompt is written, to find a question in it. */
export async function readOptions(folder: string): Promise<ReadOptions> {
  return readingOf((await policyIdentity(folder, hashCacheIn(openCacheFolder()))).contract);
}

function readingOf(contract: PolicyContract): ReadOptions {
  return { agentPrompt: contract.agentPrompt, ...(contract.dialect !== undefined && { defaultDialect: contract.dialect }) };
}

export interface Engine {
  readonly reading: ReadOptions;
  /** @throws PolicyError once the policy's process has ended twice over the same rollouts, or does not load */
  score(trajectories: readonly Trajectory[], options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]>;
  /** What scoring would ask of the policy; nothing is run. */
  plan(trajectories: readonly Trajectory[], options: ScoreOptions): Promise<ReplayPlan>;
  /** What was finished stays in the cache. */
  close(): Promise<void>;
}

/** One more start of the process is worth a try where it ended by itself or went silent; a second failure is no accident. */
const worthRetrying: ReadonlySet<string> = new Set(['crashed', 'out-of-memory', 'hung']);

/** @throws PolicyError where the folder is no policy */
export async function openEngine(folder: string, useCache: boolean, version: string, device: DeviceChoice): Promise<Engine> {
  const cache = useCache ? openCacheFolder() : undefined;
  const hashCache = hashCacheIn(cache);
  // A folder that changes during a run is a mistake, not a wish: it is read once.
  const identity = await policyIdentity(folder, hashCache, undefined, device);
  const on = { silent: () => Promise.resolve('restart' as const), log: debuglog('turnlens') };
  const policy = openPolicy({ folder, device, processPath: policyProcess, ...(hashCache !== undefined && { hashCache }), on });
  const store = cache === undefined ? memoryStore() : layeredStore(memoryStore(), diskStore(path.join(cache, 'results')));
  const scorer: Scorer = createScorer({ policy, identity: () => Promise.resolve(identity), store, version });
  return {
    reading: readingOf(identity.contract),
    async score(trajectories, options, on) {
      try {
        return await scorer.score(trajectories, options, on);
      } catch (error) {
        if (!(error instanceof PolicyError && worthRetrying.has(error.code)) || options.signal?.aborted) throw error;
        return await scorer.score(trajectories, options, on);
      }
    },
    plan: (trajectories, options) => scorer.plan(trajectories, options),
    close: () => policy.dispose(),
  };
}
