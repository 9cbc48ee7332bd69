import type { Policy, ReplayStats } from '../replay/policy';
import type { Job } from './batch';

/** What scoring asks of the policy and what of it was run. Over all rollouts and methods of a question, as one prefix tree. */
export interface ReplayPlan {
  /** One forward for each request. */
  readonly tokensNaive: number;
  /** Distinct tokens over all contexts and targets, less each sequence's last; decoded ones not counted. */
  readonly tokensTree: number;
  /** What was run; decoded tokens not counted. */
  readonly tokensRun: number;
  /** Calls of the model. */
  readonly runs: number;
  /** Equal ones counted each. */
  readonly requests: number;
  /** Of them, those whose answers were kept from before. */
  readonly cached: number;
}

/** Adds up a plan over the trees of a call. */
export class PlanTally {
  #plan: ReplayPlan = { tokensNaive: 0, tokensTree: 0, tokensRun: 0, runs: 0, requests: 0, cached: 0 };

  get plan(): ReplayPlan {
    return this.#plan;
  }

  /** All that the jobs ask, answered or not: it is encoded, nothing is run. */
  async count(jobs: readonly Job[], policy: Policy, signal: AbortSignal | undefined): Promise<void> {
    const asked = jobs.flatMap(({ plan, left }) => [...plan.asked].map(([name, { request }]) => ({ request, cached: !left.has(plan.keys.get(name) ?? '') })));
    const { tokensNaive, tokensTree } = await policy.plan(asked.map(({ request }) => request), signal);
    this.#add({ tokensNaive, tokensTree, requests: asked.length, cached: asked.filter(({ cached }) => cached).length });
  }

  ran({ tokensRun, runs }: ReplayStats): void {
    this.#add({ tokensRun, runs });
  }

  #add(more: Partial<ReplayPlan>): void {
    const sum = (key: keyof ReplayPlan): number => this.#plan[key] + (more[key] ?? 0);
    this.#plan = {
      tokensNaive: sum('tokensNaive'),
      tokensTree: sum('tokensTree'),
      tokensRun: sum('tokensRun'),
      runs: sum('runs'),
      requests: sum('requests'),
      cached: sum('cached'),
    };
  }
}
