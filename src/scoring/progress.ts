import type { Trajectory } from '../trajectory/model';
import type { Plan } from './plan';
import type { ScoreProgress } from './scorer';

/** Counts requests and turns over all trajectories of a call. A turn counts when everything that it asked for is answered. */
export class Counter {
  #requests = 0;
  #turns = 0;

  constructor(
    private readonly on: ScoreProgress,
    private readonly totalRequests: number,
    private readonly totalTurns: number,
  ) {}

  /** Starts on a trajectory; the function it returns is called for each key that is answered. */
  begin(t: Trajectory, plan: Plan): (key: string) => void {
    const waiting = new Map<number, number>();
    const turnsOf = new Map<string, number[]>();
    for (const [name, { turn }] of plan.asked) {
      waiting.set(turn, (waiting.get(turn) ?? 0) + 1);
      const key = plan.keys.get(name) ?? '';
      turnsOf.set(key, [...(turnsOf.get(key) ?? []), turn]);
    }
    const idle = t.turns.filter((turn) => !waiting.has(turn.index)).length;
    if (idle > 0) this.advance(0, idle);
    return (key) => {
      const turns = turnsOf.get(key) ?? [];
      turnsOf.delete(key);
      let finished = 0;
      for (const turn of turns) {
        const left = (waiting.get(turn) ?? 0) - 1;
        waiting.set(turn, left);
        if (left === 0 && turn > 0) finished++;
      }
      this.advance(turns.length, finished);
    };
  }

  /** So many more are done. */
  advance(requests: number, turns: number): void {
    this.#requests += requests;
    this.#turns += turns;
    if (requests > 0) this.on.requests(this.#requests, this.totalRequests);
    if (turns > 0) this.on.turns(this.#turns, this.totalTurns);
  }
}
