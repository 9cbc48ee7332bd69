import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { ResultStore } from './store';
import { parseStored } from './storedFormat';

/** Loaded at a time. A trajectory of seven turns touches about fifteen. */
const shardsInMemory = 32;

interface Shard {
  /** Lines by key, not parsed yet; a later line of the same key wins. */
  readonly lines: Map<string, string>;
  /** What the file was when it was read: another process may have written to it since. */
  readonly stamp: string;
}

/**
 * Results on disk, for as long as there is room: 256 files named by the first two digits of the key, one line a result, only ever appended to.
 * One write call a line keeps processes from tearing each other's lines; each begins with the line break that ends one cut off by a crash,
 * and a line that cannot be read is passed over. A file that has grown too long is replaced by its newer half. {@link ResultStore.get} and `set` are synchronous: a shard holds at most `maxBytes` / 256.
 */
export function diskStore(folder: string, maxBytes = 64 * 2 ** 20): ResultStore {
  const maxShard = Math.max(4096, maxBytes / 256);
  const shards = new LRUCache<string, Shard>({ max: shardsInMemory });
  const fileOf = (key: string): string => join(folder, `${key.slice(0, 2)}.jsonl`);
  let made = false;

  const load = (file: string): Shard => {
    const stamp = stampOf(file);
    const known = shards.get(file);
    if (known?.stamp === stamp) return known;
    const shard = { lines: stamp === absent ? new Map<string, string>() : readLines(file), stamp };
    shards.set(file, shard);
    return shard;
  };

  return {
    get(key) {
      const line = load(fileOf(key)).lines.get(key);
      return line === undefined ? undefined : parseStored(line);
    },
    async prepare(keys) {
      const files = new Set([...keys].map(fileOf));
      await Promise.all([...files].slice(0, shardsInMemory).map(async (file) => {
        const stamp = await stat(file).then(stampOfStats, () => absent);
        if (shards.get(file)?.stamp === stamp) return;
        shards.set(file, { lines: linesOf(await readFile(file, 'utf8').catch(() => '')), stamp });
      }));
    },
    set(key, stored) {
      const file = fileOf(key);
      try {
        if (!made) mkdirSync(folder, { recursive: true });
        made = true;
        append(file, `\n${key} ${JSON.stringify(stored)}`, maxShard);
      } catch {
        // A full or read-only disk costs the next session's time, nothing else.
      }
    },
  };
}

const absent = '';

function stampOf(file: string): string {
  try {
    return stampOfStats(statSync(file));
  } catch {
    return absent;
  }
}

const stampOfStats = ({ size, mtimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ino}`;

function readLines(file: string): Map<string, string> {
  try {
    return linesOf(readFileSync(file, 'utf8'));
  } catch {
    return new Map();
  }
}

function linesOf(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0) lines.set(line.slice(0, space), line.slice(space + 1));
  }
  return lines;
}

function append(file: string, line: string, maxShard: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size + line.length > maxShard) {
    const newer = readFileSync(file, 'utf8').slice(-maxShard / 2);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, newer.slice(newer.indexOf('\n') + 1) + line);
    renameSync(draft, file);
    return;
  }
  appendFileSync(file, line);
}
