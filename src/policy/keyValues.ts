import { Tensor, type InferenceSession } from 'onnxruntime-node';
import { firstColumns, type Stretch } from '../replay/branch';
import type { CacheInput } from './decoderShape';
import { columnsOf, emptyColumns, firstOf, joinColumns } from './tensors';

/** Keys and values by the names of the inputs that take them, and whose they are. Never changed once made: any number of branches may start from one. */
export interface KeyValues {
  readonly columns: readonly Stretch[];
  readonly tensors: Readonly<Record<string, Tensor>>;
}

type Tensors = Record<string, Tensor>;

/** The cache of a sequence that has not begun. */
export function emptyCache(layers: readonly CacheInput[]): KeyValues {
  const tensors: Tensors = {};
  for (const { past, recent, type, heads, size } of layers) {
    tensors[past] = emptyColumns(type, heads, size);
    if (recent !== undefined) tensors[recent] = emptyColumns(type, heads, size);
  }
  return { columns: [], tensors };
}

/** The first `length` columns. What is copied is only the part in which they end. */
export function cacheBefore({ columns, tensors }: KeyValues, length: number, layers: readonly CacheInput[]): KeyValues {
  const cut: Tensors = {};
  for (const { past, recent } of layers) {
    const [first, behind] = [tensors[past], recent === undefined ? undefined : tensors[recent]];
    if (!first) continue;
    cut[past] = firstOf(first, Math.min(length, columnsOf(first)));
    if (recent !== undefined && behind) cut[recent] = firstOf(behind, Math.max(0, length - columnsOf(first)));
  }
  return { columns: firstColumns(columns, length), tensors: cut };
}

/** `past` with what a run gave behind it. */
export function cacheAfter(past: KeyValues, run: readonly Stretch[], outputs: InferenceSession.OnnxValueMapType, layers: readonly CacheInput[]): KeyValues {
  const tensors: Tensors = {};
  for (const { past: name, recent, output } of layers) {
    const [given, first] = [outputs[output], past.tensors[name]];
    if (!(given instanceof Tensor) || !first) continue;
    if (recent === undefined) {
      tensors[name] = given;
      continue;
    }
    const behind = past.tensors[recent];
    const grown = behind && columnsOf(behind) > 0 ? joinColumns(behind, given) : given;
    // Once as much stands behind a part as in it, the two are one: so each column is copied a few times, however many runs there are.
    const whole = columnsOf(grown) >= columnsOf(first);
    tensors[name] = whole ? joinColumns(first, grown) : first;
    tensors[recent] = whole ? firstOf(grown, 0) : grown;
  }
  return { columns: [...past.columns, ...run], tensors };
}
