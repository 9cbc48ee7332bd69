import type { ReplayRequest } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import type { Plan } from './plan';
import type { ResultStore, Stored } from './store';

/**
 * Characters that a question's requests hold at most before it is split into several trees, so that memory stays flat: sixty rollouts of
 * eight long turns and more.
 */
export const largestBatch = 16 << 20;

/** Roughly: each turn is asked about twice, by its state and by the context without it. */
export const charactersAsked = ({ text, turns }: Trajectory): number => text.length * (2 * turns.length + 2);

/** Which trajectories go together: rollouts of one question begin alike, and what is shared within a run is run once. */
export function batchesOf(trajectories: readonly Trajectory[], scope: 'trajectory' | 'question'): number[][] {
  const batches: number[][] = [];
  const open = new Map<string, { readonly batch: number[]; characters: number }>();
  for (const [index, trajectory] of trajectories.entries()) {
    const { group } = trajectory;
    const characters = charactersAsked(trajectory);
    const shared = scope === 'question' && group !== undefined ? open.get(group) : undefined;
    if (shared && shared.characters + characters <= largestBatch) {
      shared.batch.push(index);
      shared.characters += characters;
      continue;
    }
    const batch = [index];
    batches.push(batch);
    if (group !== undefined) open.set(group, { batch, characters });
  }
  return batches;
}

/** One trajectory on its way: what it asks, what is answered, what is left. */
export interface Job {
  readonly index: number;
  readonly trajectory: Trajectory;
  readonly plan: Plan;
  readonly found: Map<string, Stored>;
  readonly left: Set<string>;
  /** Told of each key that is answered. */
  readonly answered: (key: string) => void;
}

export const jobOf = (index: number, trajectory: Trajectory, plan: Plan, answered: Job['answered'] = () => undefined): Job => ({
  index,
  trajectory,
  plan,
  found: new Map(),
  left: new Set(plan.keys.values()),
  answered,
});

/** Delivers to a job what is stored of what it asks. */
export function takeStored(job: Job, get: ResultStore['get']): void {
  for (const key of [...job.left]) {
    const stored = get(key);
    if (stored) deliver([job], key, stored);
  }
}

/** What no result is there for, equal requests once. */
export function missingOf(jobs: readonly Pick<Job, 'plan' | 'left'>[]): Map<string, ReplayRequest> {
  const missing = new Map<string, ReplayRequest>();
  for (const { plan, left } of jobs) {
    for (const [name, { request }] of plan.asked) {
      const key = plan.keys.get(name);
      if (key !== undefined && left.has(key)) missing.set(key, request);
    }
  }
  return missing;
}

/** Notes a result with every job that waits for it; returns those that it completes. */
export function deliver(jobs: readonly Job[], key: string, stored: Stored): Job[] {
  return jobs.filter((job) => {
    if (!job.left.delete(key)) return false;
    job.found.set(key, stored);
    job.answered(key);
    return job.left.size === 0;
  });
}
