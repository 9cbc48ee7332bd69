import type { Asked } from '../credit/method';
import type { CreditSettings } from '../credit/settings';
import type { Piece, ReplayRequest, ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import { charactersAsked, largestBatch, takeStored, type Job } from './batch';
import { asksOf, keysOfAsked, type Plan } from './plan';
import type { PolicyIdentity } from './scorer';
import type { ResultStore, Stored } from './store';

/** Characters that the first part asks; each part asks twice as many as the one before, so that little is asked beyond what fits. */
const firstPart = 1 << 18;

/** Whether a trajectory asks more at once than memory should hold: its states alone grow with the square of its turns. */
export const isLong = (t: Trajectory): boolean => charactersAsked(t) > largestBatch;

/** What a long trajectory asks, a part after the other. What a part's results tell is not asked any more. */
export class LongRollout {
  /** Keys of what was asked so far, by name. */
  readonly keys = new Map<string, string>();
  /** What of it is answered, by key. */
  readonly found = new Map<string, Stored>();
  private readonly results = new Map<string, ReplayResult>();
  private readonly asks: Iterator<readonly [string, Asked]>;
  private size = firstPart;

  constructor(
    private readonly trajectory: Trajectory,
    settings: CreditSettings,
    private readonly identity: PolicyIdentity,
  ) {
    this.asks = asksOf(trajectory, settings, identity.contract, (name) => this.results.get(name));
  }

  /**
   * Its parts, each made when it is taken: what came of those before it is known by then.
   * @param take delivers what is stored
   * @param answered see {@link Job.answered}
   */
  *jobs(take: (job: Job) => void, answered: () => void = () => undefined): Generator<Job> {
    for (let plan = this.next(); plan; plan = this.next()) {
      const job: Job = { index: 0, trajectory: this.trajectory, plan, found: this.found, left: new Set(plan.keys.values()), answered };
      take(job);
      yield job;
      for (const [name, key] of plan.keys) {
        const stored = this.found.get(key);
        if (stored) this.results.set(name, stored.result);
      }
    }
  }

  /** `undefined`: everything was asked. */
  private next(): Plan | undefined {
    const asked = new Map<string, Asked>();
    for (let characters = 0; characters < this.size; ) {
      const next = this.asks.next();
      if (next.done === true) break;
      const [name, ask] = next.value;
      asked.set(name, ask);
      characters += charactersIn(ask.request);
    }
    if (asked.size === 0) return undefined;
    this.size = Math.min(2 * this.size, largestBatch);
    const keys = keysOfAsked(asked, this.identity);
    for (const [name, key] of keys) this.keys.set(name, key);
    return { asked, keys };
  }
}

/** What was asked of a trajectory when a store was last looked through for it, and what of that was there. */
interface Look {
  readonly of: string;
  readonly keys: Plan['keys'];
  readonly found: ReadonlyMap<string, Stored>;
  /** Nothing was missing. */
  readonly whole: boolean;
}

/** Making the keys of a long trajectory costs a pass over all of its contexts, and showing what is cached asks for them again and again. */
const lastLooks = new WeakMap<Trajectory, Look>();

/** What is stored of a long trajectory, up to the first part that lacks something: what is asked after it hangs on it. */
export function storedOf(t: Trajectory, settings: CreditSettings, identity: PolicyIdentity, get: ResultStore['get']): Look {
  const of = JSON.stringify([settings, identity]);
  const last = lastLooks.get(t);
  // Where the same is there, the same is asked.
  if (last?.of === of && [...last.keys.values()].every((key) => last.found.get(key)?.at === get(key)?.at)) return last;
  const rollout = new LongRollout(t, settings, identity);
  let whole = true;
  for (const { left } of rollout.jobs((job) => { takeStored(job, get); })) {
    whole = left.size === 0;
    if (!whole) break;
  }
  const look = { of, keys: rollout.keys, found: rollout.found, whole };
  lastLooks.set(t, look);
  return look;
}

/** Of memory that a request holds of its own, roughly: a piece of a few letters is an object too. */
const leastPiece = 64;

const charactersIn = ({ context }: ReplayRequest): number => context.reduce((sum, piece) => sum + leastPiece + charactersOf(piece), 0);

function charactersOf(piece: Piece): number {
  if ('chat' in piece) return piece.chat.reduce((sum, { content }) => sum + content.length, 0);
  if ('stripped' in piece) return piece.stripped.length;
  return 'ids' in piece ? piece.ids.length + (piece.text?.length ?? 0) : piece.text.length;
}
