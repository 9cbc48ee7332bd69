import { setImmediate } from 'node:timers/promises';
import type { CreditSettings } from '../credit/settings';
import { contractHash } from '../policy/contract';
import { type Policy, PolicyError, type PolicyInfo, type ReplayStats } from '../replay/policy';
import type { ReplayRequest, ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import { assemble, type Credits, creditsOf } from './assemble';
import { batchesOf, deliver, type Job, jobOf, missingOf, takeStored } from './batch';
import { isLong, LongRollout, storedOf } from './longRollout';
import type { TrajectoryScores } from './model';
import { countOf, keysOf, type Plan, planOf } from './plan';
import { Counter } from './progress';
import { provenanceOf } from './provenance';
import { Questions } from './questions';
import { PlanTally, type ReplayPlan } from './replayPlan';
import type { ForecastIdentity, PolicyIdentity, ScoreOptions, ScoreProgress, Scorer } from './scorer';
import type { ResultStore, Stored } from './store';

interface ScorerOptions {
  readonly policy: Policy;
  /** Without loading the policy; no hash where finding it would take long, no device where only a load tells. Rejects with PolicyError. */
  readonly identity: () => Promise<ForecastIdentity>;
  readonly store: ResultStore;
  /** Of Turnlens. */
  readonly version: string;
}

export function createScorer(options: ScorerOptions): Scorer {
  return new StoringScorer(options);
}

/**
 * Takes from the store what is there and asks the policy for the rest, one tree for each trajectory or question: memory and what a cancel loses
 * stay bounded. The identity read from the folder is a forecast; where the loaded policy says otherwise, that holds.
 */
class StoringScorer implements Scorer {
  readonly policy: Policy;
  readonly #options: ScorerOptions;
  #identity: PolicyIdentity | undefined;
  /** A forecast that the loaded policy did not bear out, and what holds instead. */
  #corrected: { readonly forecast: PolicyIdentity; readonly identity: PolicyIdentity } | undefined;

  constructor(options: ScorerOptions) {
    this.policy = options.policy;
    this.#options = options;
  }

  async identity(): Promise<PolicyIdentity | undefined> {
    const { hash, device, ...rest } = await this.#options.identity();
    if (hash === undefined || device === undefined) return this.#identity;
    const forecast = { ...rest, hash, device };
    this.#identity = this.#corrected && sameNumbers(forecast, this.#corrected.forecast) ? this.#corrected.identity : forecast;
    return this.#identity;
  }

  async score(trajectories: readonly Trajectory[], options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]> {
    const forecast = (await this.identity()) ?? (await this.#load(options.signal)).identity;
    return this.#score(trajectories, forecast, options, on);
  }

  async plan(trajectories: readonly Trajectory[], options: ScoreOptions): Promise<ReplayPlan> {
    // The policy has to be there to encode, so that what it says of itself is known.
    const { identity } = await this.#load(options.signal);
    const tally = new PlanTally();
    const take = (job: Job): void => { takeStored(job, this.#stored(options)); };
    for (const batch of batchesOf(trajectories, options.scope)) {
      const members = batch.flatMap((index) => trajectories[index] ?? []);
      const [only] = members;
      if (only && isLong(only)) {
        await this.#planLong(only, options, identity, tally, take);
        continue;
      }
      const jobs = members.map((t) => jobOf(0, t, planOf(t, options.settings, identity)));
      jobs.forEach(take);
      await tally.count(jobs, this.policy, options.signal);
    }
    return tally.plan;
  }

  /** What fits of a long trajectory. What a method asks grows longer: where a part of it costs nothing, nothing after it can be asked either. */
  async #planLong(t: Trajectory, options: ScoreOptions, identity: PolicyIdentity, tally: PlanTally, take: (job: Job) => void): Promise<void> {
    for (const method of options.settings.methods) {
      for (const job of new LongRollout(t, { ...options.settings, methods: [method] }, identity).jobs(take)) {
        const before = tally.plan.tokensNaive;
        await tally.count([job], this.policy, options.signal);
        if (tally.plan.tokensNaive === before) break;
      }
    }
  }

  async #score(trajectories: readonly Trajectory[], identity: PolicyIdentity, options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]> {
    const { settings } = options;
    const counter = counterOf(trajectories, settings, on);
    const answeredHere = new Set<string>();
    const tally = options.plan === true ? new PlanTally() : undefined;
    const call: Call = { identity, options, on, answeredHere, ...(tally ? { tally } : {}) };
    const take = (job: Job): void => { takeStored(job, this.#stored(options, answeredHere)); };
    const credits: Credits[] = [];
    const questions = options.scope === 'question' ? new Questions(trajectories) : undefined;
    const finish = (index: number, t: Trajectory, keys: Plan['keys'], found: ReadonlyMap<string, Stored>): void => {
      const credit = this.#credits(t, keys, found, settings, identity);
      credits[index] = credit;
      for (const scores of assemble([credit], { ...options, scope: 'trajectory' })) on.trajectory?.(index, scores);
      const complete = on.question && questions?.scored(index);
      if (complete) on.question?.(complete, assemble(complete.flatMap((each) => credits[each] ?? []), options));
    };
    for (const batch of batchesOf(trajectories, options.scope)) {
      // A file whose every answer is cached would otherwise hold up its caller, and a cancel, to its end.
      await setImmediate();
      if (options.signal?.aborted) throw new PolicyError('cancelled', 'Scoring was cancelled.');
      const members = batch.flatMap((index) => (trajectories[index] ? [{ index, t: trajectories[index] }] : []));
      const [only] = members;
      if (only && isLong(only.t)) {
        const rollout = new LongRollout(only.t, settings, identity);
        let asked = 0;
        for (const job of rollout.jobs(take, () => { counter.advance(1, 0); })) {
          asked += new Set(job.plan.keys.values()).size;
          if (!(await this.#answer([job], call))) return this.#score(trajectories, this.#identity ?? identity, options, on);
        }
        counter.advance(countOf(only.t, settings) - asked, only.t.turns.length);
        finish(only.index, only.t, rollout.keys, rollout.found);
        continue;
      }
      const jobs = members.map(({ index, t }) => {
        const plan = planOf(t, settings, identity);
        return jobOf(index, t, plan, counter.begin(t, plan));
      });
      const done = ({ index, trajectory, plan, found }: Job): void => { finish(index, trajectory, plan.keys, found); };
      jobs.forEach(take);
      jobs.filter(({ left }) => left.size === 0).forEach(done);
      if (!(await this.#answer(jobs, call, done))) return this.#score(trajectories, this.#identity ?? identity, options, on);
    }
    if (tally) on.planned?.(tally.plan);
    return assemble(credits, options);
  }

  /** Asks the policy what is left of jobs. `done`: told of each that is complete by it. `false`: the loaded policy is not the one that was forecast. */
  async #answer(jobs: readonly Job[], call: Call, done: (job: Job) => void = () => undefined): Promise<boolean> {
    const { identity, options, on, answeredHere, tally } = call;
    await tally?.count(jobs, this.policy, options.signal);
    const missing = missingOf(jobs);
    if (missing.size === 0) return true;
    const loaded = await this.#loadAs(identity, options.signal);
    if (!loaded) return false;
    const stats = await this.#run(missing, loaded.info, options, on, (key, stored) => {
      answeredHere.add(key);
      deliver(jobs, key, stored).forEach(done);
    });
    tally?.ran(stats);
    return true;
  }

  async prepare(trajectories: readonly Trajectory[], { settings }: ScoreOptions): Promise<void> {
    const identity = this.#identity;
    if (!identity) return;
    await this.#options.store.prepare?.(trajectories.filter((t) => !isLong(t)).flatMap((t) => [...keysOf(t, settings, identity).values()]));
  }

  fromCache(trajectories: readonly Trajectory[], options: ScoreOptions): readonly (TrajectoryScores | undefined)[] {
    const identity = this.#identity;
    if (!identity) return trajectories.map(() => undefined);
    const credits = trajectories.map((t) => {
      if (isLong(t)) {
        const { keys, found, whole } = storedOf(t, options.settings, identity, (key) => this.#options.store.get(key));
        return whole || options.partial === true ? this.#credits(t, keys, found, options.settings, identity) : undefined;
      }
      const keys = keysOf(t, options.settings, identity);
      const found = new Map<string, Stored>();
      for (const key of new Set(keys.values())) {
        const stored = this.#options.store.get(key);
        if (stored) found.set(key, stored);
        else if (options.partial !== true) return undefined;
      }
      return this.#credits(t, keys, found, options.settings, identity);
    });
    const scores = assemble(credits.filter((credit) => credit !== undefined), options).values();
    return credits.map((credit) => (credit ? scores.next().value : undefined));
  }

  /** What may be used of the store: with `ignoreCache`, what this call was answered. */
  #stored({ ignoreCache }: ScoreOptions, answeredHere: ReadonlySet<string> = new Set()): ResultStore['get'] {
    return (key) => (ignoreCache !== true || answeredHere.has(key) ? this.#options.store.get(key) : undefined);
  }

  /** `undefined`: the policy as it is loaded makes its numbers otherwise than was forecast; what holds is noted. */
  async #loadAs(identity: PolicyIdentity, signal: AbortSignal | undefined): Promise<{ info: PolicyInfo } | undefined> {
    const loaded = await this.#load(signal);
    if (sameNumbers(loaded.identity, identity)) return loaded;
    this.#corrected = { forecast: identity, identity: loaded.identity };
    return undefined;
  }

  async #load(signal: AbortSignal | undefined): Promise<{ info: PolicyInfo; identity: PolicyIdentity }> {
    const info = await this.policy.describe(signal);
    const { hash, contract, device, dtype, activations, name } = info;
    this.#identity = { hash, contract, device, dtype, activations, name };
    return { info, identity: this.#identity };
  }

  async #run(
    missing: ReadonlyMap<string, ReplayRequest>,
    info: PolicyInfo,
    { signal, ignoreCache }: ScoreOptions,
    on: ScoreProgress,
    keep: (key: string, stored: Stored) => void,
  ): Promise<ReplayStats> {
    const keys = [...missing.keys()];
    const left = new Set(keys);
    const result = (index: number, result: ReplayResult): void => {
      const key = keys[index];
      if (key === undefined || !left.delete(key)) return;
      const stored = { result, runtime: info.runtime, at: new Date().toISOString() };
      this.#options.store.set(key, stored);
      keep(key, stored);
    };
    const tokens = (done: number, total: number): void => on.tokens?.(done, total);
    const stats = await this.policy.run([...missing.values()], { result, tokens }, signal, ignoreCache === true);
    if (left.size > 0) throw new Error(`the policy left ${left.size} of ${keys.length} requests unanswered`);
    return stats;
  }

  #credits(t: Trajectory, keys: Plan['keys'], found: ReadonlyMap<string, Stored>, settings: CreditSettings, identity: PolicyIdentity): Credits {
    const results = new Map<string, ReplayResult>();
    for (const [name, key] of keys) {
      const stored = found.get(key);
      if (stored) results.set(name, stored.result);
    }
    const provenance = provenanceOf(identity, settings, [...found.values()], this.#options.version);
    return { ...creditsOf(t, results, settings, identity.contract), provenance };
  }
}

/** What the trajectories of one call have in common. */
interface Call {
  readonly identity: PolicyIdentity;
  readonly options: ScoreOptions;
  readonly on: ScoreProgress;
  readonly answeredHere: Set<string>;
  readonly tally?: PlanTally;
}

function counterOf(trajectories: readonly Trajectory[], settings: CreditSettings, on: ScoreProgress): Counter {
  const requests = trajectories.reduce((sum, t) => sum + countOf(t, settings), 0);
  const turns = trajectories.reduce((sum, t) => sum + t.turns.length, 0);
  return new Counter(on, requests, turns);
}

function sameNumbers(a: PolicyIdentity, b: PolicyIdentity): boolean {
  return a.hash === b.hash && a.device === b.device && a.dtype === b.dtype && a.activations === b.activations && contractHash(a.contract) === contractHash(b.contract);
}
