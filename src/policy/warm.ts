import type { TokenIds } from '../replay/requests';
import type { KeyValues } from './keyValues';
import type { Wanted } from './ledger';
import type { RowScore } from './rowScore';

/** What was read off a trunk, by depth and by the token that was asked about. */
export class TrunkRows {
  readonly #rows = new Map<number, Map<number, RowScore>>();

  add({ depth, token }: Pick<Wanted, 'depth' | 'token'>, { logprob, rank, entropy, best, bestLogprob, margin }: RowScore): void {
    const here = this.#rows.get(depth) ?? new Map<number, RowScore>();
    this.#rows.set(depth, here.set(token, { logprob, rank, entropy, best, bestLogprob, margin }));
  }

  /** An answer's first choice is the same whatever token was asked about; whole distributions are not kept. */
  find({ entry, depth, token, distribution }: Wanted): RowScore | undefined {
    const here = this.#rows.get(depth);
    if (distribution || !here) return undefined;
    return here.get(token) ?? (entry.kind === 'answer' ? here.values().next().value : undefined);
  }

  /** Takes over what another knows of depths below `end`. */
  merge(other: TrunkRows, end: number): void {
    for (const [depth, rows] of other.#rows) if (depth < end) for (const [token, row] of rows) this.add({ depth, token }, row);
  }
}

/** A path from the root, its cache in that order, and what is known of its rows. */
export interface WarmTrunk {
  readonly tokens: TokenIds;
  readonly tensors: KeyValues['tensors'];
  readonly rows: TrunkRows;
}

/** Bytes of keys and values that stay warm between calls. */
const warmBudget = 256 * 2 ** 20;

/**
 * The caches of the last trunks, so that after an edit only what follows it is run. A trunk that begins like another by less than half
 * gains little by it and starts anew: an instruction that all questions share is no edit.
 */
export class WarmTrunks {
  /** The latest last. */
  #trunks: WarmTrunk[] = [];

  constructor(readonly budget = warmBudget) {}

  /** The one that goes furthest along `path`, and how far. */
  find(path: TokenIds): { readonly trunk: WarmTrunk; readonly shared: number } | undefined {
    let [best, shared]: [WarmTrunk | undefined, number] = [undefined, 0];
    for (const trunk of this.#trunks) {
      const length = commonLength(trunk.tokens, path);
      if (length > shared) [best, shared] = [trunk, length];
    }
    return best && 2 * shared >= path.length ? { trunk: best, shared } : undefined;
  }

  /** Keeps a trunk in place of those that it continues, or the one that continues it, and forgets the oldest beyond the budget. A cache on a device is not kept. */
  keep(trunk: WarmTrunk): void {
    const tensors = Object.values(trunk.tensors);
    if (tensors.some(({ location }) => location !== 'cpu') || bytesOf(trunk) > this.budget) return;
    const longest = this.#trunks.findLast((other) => continues(other, trunk)) ?? trunk;
    const within = [...this.#trunks, trunk].filter((other) => other !== longest && continues(longest, other));
    // What was read beyond a trunk's own tokens hangs on others, which may not be those of the longest.
    for (const other of within) longest.rows.merge(other.rows, other.tokens.length);
    this.#trunks = [...this.#trunks.filter((other) => other !== longest && !within.includes(other)), longest];
    let total = this.#trunks.reduce((sum, each) => sum + bytesOf(each), 0);
    while (total > this.budget) {
      const oldest = this.#trunks.shift();
      total -= oldest ? bytesOf(oldest) : total;
    }
  }
}

const bytesOf = ({ tensors }: WarmTrunk): number => Object.values(tensors).reduce((sum, { data }) => sum + (ArrayBuffer.isView(data) ? data.byteLength : 0), 0);

/** Whether `trunk` begins with the other, or is the same. */
const continues = (trunk: WarmTrunk, other: WarmTrunk): boolean => commonLength(trunk.tokens, other.tokens) === other.tokens.length;

function commonLength(a: TokenIds, b: TokenIds): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
