import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from './schema';

interface KeptOptions<T> {
  /** Absent: nothing is kept. */
  readonly file: string | undefined;
  /** Of each entry. */
  readonly entry: z.ZodType<T>;
  /** The oldest beyond so many are forgotten. */
  readonly most: number;
}

/** Changes of this process, one after the other, so that none undoes another. */
let changes: Promise<unknown> = Promise.resolve();

/**
 * Small facts by name in a JSON file that several processes share. It is a cache: a damaged, foreign or missing file is an empty one, what cannot be written
 * is found out again, and of two processes that write at the same moment one may be forgotten. Never fails.
 */
export class KeptEntries<T> {
  readonly #o: KeptOptions<T>;
  readonly #shape: z.ZodType<{ version: 2; entries: Record<string, T> }>;

  constructor(options: KeptOptions<T>) {
    this.#o = options;
    this.#shape = z.object({ version: z.literal(2), entries: z.record(z.string(), options.entry) });
  }

  /** The newest last. */
  async read(): Promise<ReadonlyMap<string, T>> {
    const { file } = this.#o;
    if (file === undefined) return new Map();
    try {
      const parsed = this.#shape.safeParse(JSON.parse(await readFile(file, 'utf8')));
      return new Map(parsed.success ? Object.entries(parsed.data.entries) : []);
    } catch {
      return new Map();
    }
  }

  /** Sets what `change` makes of the entries as they are now; of none nothing is written. */
  async change(change: (known: ReadonlyMap<string, T>) => Iterable<readonly [string, T]>): Promise<void> {
    const { file, most } = this.#o;
    if (file === undefined) return;
    const work = async (): Promise<void> => {
      const entries = new Map(await this.read());
      const changed = new Map(change(entries));
      if (changed.size === 0) return;
      for (const [name, entry] of changed) {
        entries.delete(name);
        entries.set(name, entry);
      }
      await replace(file, JSON.stringify({ version: 2, entries: Object.fromEntries([...entries].slice(-most)) }));
    };
    changes = changes.then(work, work);
    await changes;
  }
}

/** Through a rename, so that no reader sees half of it. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${String(process.pid)}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
