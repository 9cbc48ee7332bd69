import { LRUCache } from 'lru-cache';
import type { ReplayResult } from '../replay/requests';

/** A result with where it came from. */
export interface Stored {
  readonly result: ReplayResult;
  /** `onnxruntime 1.30.0` */
  readonly runtime: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Results by request key. A store is a cache: it may forget, and it never fails. */
export interface ResultStore {
  get(key: string): Stored | undefined;
  set(key: string, stored: Stored): void;
  /** Brings what is far near, without blocking: {@link get} of these keys is quick afterwards. Never fails. */
  prepare?(keys: Iterable<string>): Promise<void>;
}

/** Roughly, in bytes; what an object of a few numbers costs in V8. */
function sizeOf({ result }: Stored): number {
  if (result.kind === 'answer') return 512 + 2 * result.text.length + 16 * result.ids.length;
  const written = result.written?.reduce((sum, piece) => sum + (piece.kind === 'value' ? 24 * piece.logprobs.length : 0), 0) ?? 0;
  return 512 + written + (result.kind === 'likelihood' ? 120 * result.tokens.length : 0);
}

export function memoryStore(maxBytes = 64 * 2 ** 20): ResultStore {
  const cache = new LRUCache<string, Stored>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  return { get: (key) => cache.get(key), set: (key, stored) => void cache.set(key, stored) };
}

/** Asks the near store first, and fills it from the far one. */
export function layeredStore(near: ResultStore, far: ResultStore): ResultStore {
  return {
    get(key) {
      const found = near.get(key);
      if (found) return found;
      const stored = far.get(key);
      if (stored) near.set(key, stored);
      return stored;
    },
    set(key, stored) {
      near.set(key, stored);
      far.set(key, stored);
    },
    prepare: async (keys) => far.prepare?.([...keys].filter((key) => !near.get(key))),
  };
}
