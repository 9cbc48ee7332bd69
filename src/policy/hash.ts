import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Inventory, InventoryFile } from './inventory';
import { unreadable } from './jsonFile';
import { KeptEntries } from './keptEntries';
import { z } from './schema';

const cachedFile = z.object({ stamp: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
type Cached = z.infer<typeof cachedFile>;

const mostCached = 2000;

/** What this process hashed itself, with or without a file to keep it in. */
const hashedHere = new Map<string, Cached>();

/** File hashes by path and stamp, kept in a JSON file between sessions. */
export class HashCache {
  readonly #kept: KeptEntries<Cached>;
  #known: ReadonlyMap<string, Cached> | undefined;

  /** `file`: absent, nothing is kept. */
  constructor(file: string | undefined) {
    this.#kept = new KeptEntries({ file, entry: cachedFile, most: mostCached });
  }

  async get({ path: key, stamp }: InventoryFile): Promise<string | undefined> {
    const here = hashedHere.get(key);
    if (here?.stamp === stamp) return here.sha256;
    this.#known ??= await this.#kept.read();
    const known = this.#known.get(key);
    return known?.stamp === stamp ? known.sha256 : undefined;
  }

  async add(hashes: ReadonlyMap<InventoryFile, string>): Promise<void> {
    if (hashedHere.size >= mostCached) hashedHere.clear();
    const fresh = [...hashes].map(([{ path: key, stamp }, sha256]) => [key, { stamp, sha256 }] as const);
    for (const [key, cached] of fresh) hashedHere.set(key, cached);
    await this.#kept.change(() => fresh);
  }
}

/** SHA-256 of a file, streamed. `alive`: called as bytes come in. Rejects with PolicyError `bad-folder` where it cannot be read. */
async function hashFile(file: string, alive?: () => void): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
      alive?.();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  return hash.digest('hex');
}

interface HashOptions {
  /** Called as bytes are read. */
  readonly alive?: () => void;
  /** Give up (`undefined`) where a file larger than this is not in the cache; bytes. */
  readonly largest?: number;
}

/** `sha256:…` over the sorted (name, SHA-256) of what a policy loads, wherever its folder lies; `undefined` only with `largest`. */
export async function hashInventory({ entries }: Inventory, cache: HashCache, { alive, largest = Infinity }: HashOptions = {}): Promise<string | undefined> {
  const fresh = new Map<InventoryFile, string>();
  const total = createHash('sha256');
  for (const entry of entries) {
    let sha256 = await cache.get(entry);
    if (sha256 === undefined) {
      if (entry.size > largest) return undefined;
      sha256 = await hashFile(entry.path, alive);
      fresh.set(entry, sha256);
    }
    total.update(`${entry.name}\0${sha256}\n`);
  }
  await cache.add(fresh);
  return `sha256:${total.digest('hex')}`;
}
