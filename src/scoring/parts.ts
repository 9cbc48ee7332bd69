import type { Asked } from '../credit/method';
import type { CreditSettings } from '../credit/settings';
import type { Piece, ReplayRequest, ReplayResult } from '../replay/requests';
import type { Trajectory } from '../trajectory/model';
import { charactersAsked, largestBatch } from './batch';
import { asksOf, keysOfAsked, type Plan } from './plan';
import type { PolicyIdentity } from './scorer';

/** Characters that the first part asks; each part asks twice as many as the one before, so that little is asked beyond what fits. */
const firstPart = 1 << 18;

/** Whether a trajectory asks more at once than memory should hold: its states alone grow with the square of its turns. */
export const isLong = (t: Trajectory): boolean => charactersAsked(t) > largestBatch;

/** What a long trajectory asks, a part after the other. What a part's results tell is not asked any more. */
export class Parts {
  /** Keys of what was asked so far, by name. */
  readonly keys = new Map<string, string>();
  private readonly results = new Map<string, ReplayResult>();
  private readonly asks: Iterator<readonly [string, Asked]>;
  private size = firstPart;

  constructor(
    t: Trajectory,
    settings: CreditSettings,
    private readonly identity: PolicyIdentity,
  ) {
    this.asks = asksOf(t, settings, identity.contract, (name) => this.results.get(name));
  }

  /** `undefined`: everything was asked. */
  next(): Plan | undefined {
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

  learn(name: string, result: ReplayResult): void {
    this.results.set(name, result);
  }
}

/** Of memory that a request holds of its own, roughly: a piece of a few letters is an object too. */
const leastPiece = 64;

const charactersIn = ({ context }: ReplayRequest): number => context.reduce((sum, piece) => sum + leastPiece + charactersOf(piece), 0);

function charactersOf(piece: Piece): number {
  if ('chat' in piece) return piece.chat.reduce((sum, { content }) => sum + content.length, 0);
  if ('stripped' in piece) return piece.stripped.length;
  return 'ids' in piece ? piece.ids.length + (piece.text?.length ?? 0) : piece.text.length;
}
