import path from 'node:path';
import { debuglog } from 'node:util';

import { PolicyError } from '../replay/policy';
import type { PolicyChoices } from '../replay/policyChoices';
import { createScorer } from '../scoring/createScorer';
import { openPolicy, policyIdentity } from '../scoring/openPolicy';
import { readingOf } from '../scoring/readingOf';
import type { ScoreOptions, ScoreProgress, Scorer } from '../scoring/scorer';
import type { TrajectoryScores } from '../scoring/model';
import type { ReplayPlan } from '../scoring/replayPlan';
import { diskStore } from '../scoring/diskStore';
import { openJournal } from '../scoring/journal';
import { layeredStore, memoryStore, type ResultStore } from '../scoring/store';
import type { Dialect } from '../trajectory/dialect';
import type { ReadOptions } from '../trajectory/file';
import type { Trajectory } from '../trajectory/model';
import { policyProcess } from './bundled';
import { openCacheFolder } from './cacheFolder';

const hashCacheIn = (cache: string | undefined): string | undefined => (cache === undefined ? undefined : path.join(cache, 'hashes.json'));

/** What reading a file needs of a policy, how its prompt is written, to find a question in it; and the user's own dialects. */
export async function readOptions(folder: string, dialects: readonly Dialect[] = []): Promise<ReadOptions> {
  return readingOf((await policyIdentity(folder, hashCacheIn(openCacheFolder()))).contract, dialects);
}

export interface Engine {
  readonly reading: ReadOptions;
  /** @throws PolicyError once the policy's process has ended twice over the same rollouts, or does not load */
  score(trajectories: readonly Trajectory[], options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]>;
  /** What scoring would ask of the policy; nothing is run. */
  plan(trajectories: readonly Trajectory[], options: ScoreOptions): Promise<ReplayPlan>;
  /** All files are through: nothing is to be taken up again by the next such command. */
  finish(): void;
  /** What was finished stays in the cache. */
  close(): Promise<void>;
}

/** Which rollouts; without a record all of the files. */
export interface Asked {
  readonly files: readonly string[];
  readonly record?: number | undefined;
  readonly line?: string | undefined;
}

type EngineChoices = PolicyChoices & { /** The user's own. */ readonly dialects: readonly Dialect[] };

/** One more start of the process is worth a try where it ended by itself or went silent; a second failure is no accident. */
const worthRetrying: ReadonlySet<string> = new Set(['crashed', 'out-of-memory', 'hung']);

/**
 * @param asked what is going to be scored: the same command, stopped half-way, goes on where it was
 * @throws PolicyError where the folder is no policy
 */
export async function openEngine(folder: string, asked: Asked, choices: EngineChoices, useCache: boolean, version: string): Promise<Engine> {
  const cache = useCache ? openCacheFolder() : undefined;
  const hashCache = hashCacheIn(cache);
  // A folder that changes during a run is a mistake, not a wish: it is read once.
  const { dialects, ...ofPolicy } = choices;
  const identity = await policyIdentity(folder, hashCache, ofPolicy);
  const on = { silent: () => Promise.resolve('restart' as const), log: debuglog('turnlens') };
  const policy = openPolicy({ folder, ...ofPolicy, processPath: policyProcess, ...(hashCache !== undefined && { hashCache }), on });
  const journal = cache === undefined ? undefined : openJournal(path.join(cache, 'journals'), JSON.stringify([...[folder, ...asked.files].map((name) => path.resolve(name)), asked.record ?? null, asked.line ?? null]));
  const kept = cache === undefined || !journal ? undefined : firstOf(journal, diskStore(path.join(cache, 'results')));
  const store = kept ? layeredStore(memoryStore(), kept) : memoryStore();
  const scorer: Scorer = createScorer({ policy, identity: () => Promise.resolve(identity), store, version });
  return {
    reading: readingOf(identity.contract, dialects),
    async score(trajectories, options, on) {
      try {
        return await scorer.score(trajectories, options, on);
      } catch (error) {
        if (!(error instanceof PolicyError && worthRetrying.has(error.code)) || options.signal?.aborted) throw error;
        return await scorer.score(trajectories, options, on);
      }
    },
    plan: (trajectories, options) => scorer.plan(trajectories, options),
    finish: () => journal?.finish(),
    close: () => policy.dispose(),
  };
}

/** Writes to both, and asks the second only where the first knows nothing. */
const firstOf = (first: ResultStore, second: ResultStore): ResultStore => ({
  get: (key) => first.get(key) ?? second.get(key),
  set(key, stored) {
    first.set(key, stored);
    second.set(key, stored);
  },
});
