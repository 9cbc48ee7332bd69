import { setImmediate } from 'node:timers/promises';
import type { CreditSettings } from '../credit/settings';
import { contractHash } from '../policy/contract';
import { type Policy, PolicyError, type PolicyInfo, type ReplayStats } from '../replay/policy';
import type { ReplayRequest, ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import { assemble, type Credits, creditsOf } from './assemble';
import { batchesOf, deliver, type Job, missingOf } from './batch';
import type { TrajectoryScores } from './model';
import { isLong, Parts } from './parts';
import { countOf, keysOf, type Plan, planOf } from './plan';
import { Counter } from './progress';
import { provenanceOf } from './provenance';
import { PlanTally, type ReplayPlan } from './replayPlan';
import type { ForecastIdentity, PolicyIdentity, ScoreOptions, ScoreProgress, Scorer } from './scorer';
import type { ResultStore, Stored } from './store';

export interface ScorerOptions {
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
    const counter = new Counter({ requests: () => undefined, turns: () => undefined }, 0, 0);
    const tally = new PlanTally();
    for (const batch of batchesOf(trajectories, options.scope)) {
      const [only] = batch.map((index) => trajectories[index]);
      if (only && isLong(only)) {
        await this.#planParts(only, options, identity, tally);
        continue;
      }
      const jobs = batch.flatMap((index) => this.#job(index, trajectories[index], options.settings, identity, counter));
      for (const job of jobs) this.#takeStored(job, () => options.ignoreCache !== true);
      await tally.count(jobs, this.policy, options.signal);
    }
    return tally.plan;
  }

  async #score(trajectories: readonly Trajectory[], identity: PolicyIdentity, options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]> {
    const counter = counterOf(trajectories, options.settings, on);
    const answeredHere = new Set<string>();
    const tally = options.plan === true ? new PlanTally() : undefined;
    const credits: Credits[] = [];
    const finish = (job: Job): void => {
      const credit = this.#credits(job.trajectory, job.plan.keys, job.found, options.settings, identity);
      credits[job.index] = credit;
      for (const scores of assemble([credit], { ...options, scope: 'trajectory' })) on.trajectory?.(job.index, scores);
    };
    for (const batch of batchesOf(trajectories, options.scope)) {
      // A file whose every answer is cached would otherwise hold up its caller, and a cancel, to its end.
      await setImmediate();
      if (options.signal?.aborted) throw new PolicyError('cancelled', 'Scoring was cancelled.');
      const [index = 0] = batch;
      const only = trajectories[index];
      if (only && isLong(only)) {
        const credit = await this.#scoreParts(only, identity, options, on, { counter, answeredHere, ...(tally ? { tally } : {}) });
        if (credit === undefined) return this.#score(trajectories, this.#identity ?? identity, options, on);
        credits[index] = credit;
        for (const scores of assemble([credit], { ...options, scope: 'trajectory' })) on.trajectory?.(index, scores);
        continue;
      }
      const jobs = batch.flatMap((index) => this.#job(index, trajectories[index], options.settings, identity, counter));
      for (const job of jobs) {
        this.#takeStored(job, (key) => options.ignoreCache !== true || answeredHere.has(key));
        if (job.left.size === 0) finish(job);
      }
      await tally?.count(jobs, this.policy, options.signal);
      const missing = missingOf(jobs);
      if (missing.size === 0) continue;
      const loaded = await this.#loadAs(identity, options.signal);
      if (!loaded) return this.#score(trajectories, this.#identity ?? identity, options, on);
      const stats = await this.#run(missing, loaded.info, options, on, (key, stored) => {
        answeredHere.add(key);
        deliver(jobs, key, stored).forEach(finish);
      });
      tally?.ran(stats);
    }
    if (tally) on.planned?.(tally.plan);
    return assemble(credits, options);
  }

  /**
   * A trajectory that asks more than memory should hold, a part after the other, so that what a part shows to be too long is not asked.
   * `undefined`: the loaded policy is not the one that was forecast.
   */
  async #scoreParts(t: Trajectory, identity: PolicyIdentity, options: ScoreOptions, on: ScoreProgress, { counter, answeredHere, tally }: Shared): Promise<Credits | undefined> {
    const parts = new Parts(t, options.settings, identity);
    const found = new Map<string, Stored>();
    let asked = 0;
    for (let plan = parts.next(); plan; plan = parts.next()) {
      const job: Job = { index: 0, trajectory: t, plan, found, left: new Set(plan.keys.values()), answered: () => { counter.advance(1, 0); } };
      asked += job.left.size;
      this.#takeStored(job, (key) => options.ignoreCache !== true || answeredHere.has(key));
      await tally?.count([job], this.policy, options.signal);
      const missing = missingOf([job]);
      if (missing.size > 0) {
        const loaded = await this.#loadAs(identity, options.signal);
        if (!loaded) return undefined;
        const stats = await this.#run(missing, loaded.info, options, on, (key, stored) => {
          answeredHere.add(key);
          deliver([job], key, stored);
        });
        tally?.ran(stats);
      }
      for (const [name, key] of plan.keys) {
        const stored = found.get(key);
        if (stored) parts.learn(name, stored.result);
      }
    }
    counter.advance(countOf(t, options.settings) - asked, t.turns.length);
    return this.#credits(t, parts.keys, found, options.settings, identity);
  }

  /** What fits of a long trajectory. What a method asks grows longer: where a part of it costs nothing, nothing after it can be asked either. */
  async #planParts(t: Trajectory, options: ScoreOptions, identity: PolicyIdentity, tally: PlanTally): Promise<void> {
    for (const method of options.settings.methods) {
      const parts = new Parts(t, { ...options.settings, methods: [method] }, identity);
      for (let plan = parts.next(); plan; plan = parts.next()) {
        const job: Job = { index: 0, trajectory: t, plan, found: new Map(), left: new Set(plan.keys.values()), answered: () => undefined };
        this.#takeStored(job, () => options.ignoreCache !== true);
        const before = tally.plan.tokensNaive;
        await tally.count([job], this.policy, options.signal);
        if (tally.plan.tokensNaive === before) break;
      }
    }
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
      if (isLong(t)) return this.#partsFromCache(t, options, identity);
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

  /** Up to the first result that is not there: what is asked after it hangs on it. */
  #partsFromCache(t: Trajectory, { settings, partial }: ScoreOptions, identity: PolicyIdentity): Credits | undefined {
    const parts = new Parts(t, settings, identity);
    const found = new Map<string, Stored>();
    for (let plan = parts.next(), whole = true; plan && whole; plan = whole ? parts.next() : undefined) {
      for (const [name, key] of plan.keys) {
        const stored = this.#options.store.get(key);
        if (stored) {
          found.set(key, stored);
          parts.learn(name, stored.result);
        } else if (partial === true) whole = false;
        else return undefined;
      }
    }
    return this.#credits(t, parts.keys, found, settings, identity);
  }

  #job(index: number, t: Trajectory | undefined, settings: CreditSettings, identity: PolicyIdentity, counter: Counter): Job[] {
    if (!t) return [];
    const plan = planOf(t, settings, identity);
    return [{ index, trajectory: t, plan, found: new Map(), left: new Set(plan.keys.values()), answered: counter.begin(t, plan) }];
  }

  #takeStored(job: Job, mayUse: (key: string) => boolean): void {
    for (const key of [...job.left]) {
      const stored = mayUse(key) ? this.#options.store.get(key) : undefined;
      if (stored) deliver([job], key, stored);
    }
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
interface Shared {
  readonly counter: Counter;
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
