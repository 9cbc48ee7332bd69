import { Tensor } from 'onnxruntime-node';
import type { Decoder } from '../../src/policy/decoder';
import { cacheAfter, cacheBefore, emptyCache, type KeyValues } from '../../src/policy/keyValues';
import type { RowScore } from '../../src/policy/rowScore';
import { lengthOf, positionsOf, treeBias } from '../../src/replay/branch';

/** What a policy says after `tokens`. */
export type Rule = (tokens: readonly number[]) => RowScore;

export interface ToyOptions {
  readonly rule: Rule;
  readonly packs: boolean;
  /** As a device: nothing is cut off a cache. */
  readonly resident: boolean;
  /** Tokens. */
  readonly contextLength: number;
}

/** A token's key is its id. */
const layers = [{ past: 'past', recent: 'recent', output: 'added', type: 'float32', heads: 1, size: 1 }] as const;

const keysOf = ({ tensors }: KeyValues): number[] => layers.flatMap(({ past, recent }) => [past, recent]).flatMap((name) => Array.from(tensors[name]?.data as Float32Array));

/**
 * A decoder that is nothing but a rule over what a token sees through the mask. It throws where that is no path: two tokens at one position, none at one
 * before it, or one beyond the policy's context.
 */
export function toyDecoder({ rule, packs, resident, contextLength }: ToyOptions): Pick<Decoder, 'packs' | 'resident' | 'start' | 'prefix' | 'run' | 'discard'> {
  return {
    packs,
    resident,
    start: () => emptyCache(layers),
    prefix: (keyValues, length) => (resident ? keyValues : cacheBefore(keyValues, length, layers)),
    discard: () => undefined,
    run: async ({ tokens, stretches, past, asks, keep }) => {
      const ids = [...keysOf(past), ...tokens];
      const positions = positionsOf([...past.columns, ...stretches]);
      if (positions.length !== ids.length) throw new Error(`${String(ids.length)} tokens at ${String(positions.length)} positions`);
      if (positions.some((position) => position >= contextLength)) throw new Error('a token beyond the context');
      const bias = treeBias(past.columns, stretches);
      const before = lengthOf(past.columns);
      const rows = asks.map(({ at }) => {
        const path: number[] = [];
        ids.forEach((id, column) => {
          if (bias[at * ids.length + column] !== 0) return;
          const position = positions[column] ?? -1;
          if (path[position] !== undefined) throw new Error(`two tokens at position ${String(position)}`);
          path[position] = id;
        });
        if (path.length !== (positions[before + at] ?? NaN) + 1 || path.includes(undefined as never)) throw new Error(`a path with holes before position ${String(path.length)}`);
        return rule(path);
      });
      if (!keep) return Promise.resolve({ rows });
      const added = new Tensor('float32', Float32Array.from(tokens), [1, 1, tokens.length, 1]);
      return Promise.resolve({ rows, keyValues: cacheAfter(past, stretches, { added }, layers) });
    },
  };
}
