import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Inventory, InventoryFile } from './inventory';
import { z } from './schema';

const cachedFile = z.object({ size: z.number(), modified: z.number(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const cacheFile = z.object({ version: z.literal(1), files: z.record(z.string(), cachedFile) });
type Cached = z.infer<typeof cacheFile>['files'];

const mostCached = 2000;

/** What this process hashed itself, with or without a file to keep it in. */
const hashedHere = new Map<string, Cached[string]>();

/** File hashes by path, size and time of modification, kept in a JSON file between sessions. A damaged or missing one is an empty one. */
export class HashCache {
  readonly #file: string | undefined;
  #known: Cached | undefined;

  /** `file`: absent, nothing is kept. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  async get({ path: key, size, modified }: InventoryFile): Promise<string | undefined> {
    const fits = (known: Cached[string] | undefined): boolean => known?.size === size && known.modified === modified;
    const here = hashedHere.get(key);
    const known = fits(here) ? here : (await this.#read())[key];
    return fits(known) ? known?.sha256 : undefined;
  }

  /** Adds hashes and writes the file, through a rename so that no reader sees half of it. */
  async add(hashes: ReadonlyMap<InventoryFile, string>): Promise<void> {
    if (hashedHere.size >= mostCached) hashedHere.clear();
    for (const [{ path: key, size, modified }, sha256] of hashes) hashedHere.set(key, { size, modified, sha256 });
    if (this.#file === undefined || hashes.size === 0) return;
    // Read anew, since other processes write it too; the newest come last and stay longest.
    const known = new Map(Object.entries(await readCache(this.#file)));
    for (const [{ path: key, size, modified }, sha256] of hashes) {
      known.delete(key);
      known.set(key, { size, modified, sha256 });
    }
    const files = Object.fromEntries([...known].slice(-mostCached));
    await mkdir(path.dirname(this.#file), { recursive: true });
    const temporary = `${this.#file}.${String(process.pid)}`;
    await writeFile(temporary, JSON.stringify({ version: 1, files }));
    await rename(temporary, this.#file);
    this.#known = files;
  }

  async #read(): Promise<Cached> {
    this.#known ??= this.#file === undefined ? {} : await readCache(this.#file);
    return this.#known;
  }
}

async function readCache(file: string): Promise<Cached> {
  try {
    const parsed = cacheFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data.files : {};
  } catch {
    return {};
  }
}

/** SHA-256 of a file, streamed. `alive`: called as bytes come in. */
export async function hashFile(file: string, alive?: () => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    alive?.();
  }
  return hash.digest('hex');
}

export interface HashOptions {
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
  // What cannot be kept is computed again the next time.
  await cache.add(fresh).catch(() => undefined);
  return `sha256:${total.digest('hex')}`;
}
