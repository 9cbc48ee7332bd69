import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultStore } from './store';
import { parseStored } from './storedFormat';

/** Answers of one long call, all of them until it is through: a store with a bound would forget the first of them. */
interface Journal extends ResultStore {
  /** The call is through: nothing is to be taken up again. */
  finish(): void;
}

/** Journals that nobody has taken up for so long are removed, milliseconds. */
const longestKept = 14 * 24 * 60 * 60_000;

interface Place {
  readonly start: number;
  readonly length: number;
}

/**
 * A file in `folder`, one line an answer, only ever appended to and read back where an earlier process of the same `name` was stopped. Each line is one write and
 * begins with the line break that ends one cut off by a crash, so that two processes of one name may write at once. Of what this process
 * adds itself nothing is read back: that is for nearer stores. Like every store it never fails.
 */
export function openJournal(folder: string, name: string): Journal {
  const file = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.jsonl`);
  attempt(() => { removeOld(folder); });
  const places = new Map<string, Place>();
  attempt(() => { index(file, places); });
  return {
    get(key) {
      const place = places.get(key);
      return place && attempt(() => parseStored(readAt(file, place).toString('utf8')));
    },
    set(key, stored) {
      attempt(() => {
        mkdirSync(folder, { recursive: true });
        appendFileSync(file, `\n${key} ${JSON.stringify(stored)}`);
      });
    },
    finish() {
      places.clear();
      attempt(() => { rmSync(file, { force: true }); });
    },
  };
}

/** A disk that is full, read-only or gone costs the next call's time, nothing else. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function removeOld(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > longestKept) rmSync(file, { force: true });
  }
}

const keyLength = 64;
const chunk = 1 << 20;

/** Where each key's answer stands, read in pieces: a journal may be larger than memory. */
function index(file: string, places: Map<string, Place>): void {
  const { size } = statSync(file);
  let line = Buffer.alloc(0);
  let start = 0;
  const add = (end: number): void => {
    const key = line.subarray(0, keyLength).toString('latin1');
    const from = start + keyLength + 1;
    if (/^[0-9a-f]{64}$/.test(key) && end > from) places.set(key, { start: from, length: end - from });
  };
  for (let at = 0; at < size; at += chunk) {
    const piece = readAt(file, { start: at, length: Math.min(chunk, size - at) });
    let from = 0;
    for (let to = piece.indexOf(10); to >= 0; to = piece.indexOf(10, from)) {
      line = Buffer.concat([line, piece.subarray(from, to)]).subarray(0, keyLength);
      add(at + to);
      line = Buffer.alloc(0);
      start = at + to + 1;
      from = to + 1;
    }
    line = Buffer.concat([line, piece.subarray(from)]).subarray(0, keyLength);
  }
  add(size);
}

function readAt(file: string, { start, length }: Place): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, start));
  } finally {
    closeSync(handle);
  }
}
