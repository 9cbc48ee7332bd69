import { Tensor } from 'onnxruntime-node';

const half = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
};

/** Copies `count` elements from `start` as float32. float16 tensors hold their bits in a Uint16Array. */
export function copyFloats(tensor: Tensor, start: number, count: number): Float32Array {
  const data = tensor.data;
  if (data instanceof Float32Array) return data.slice(start, start + count);
  if (data instanceof Uint16Array) return Float32Array.from(data.subarray(start, start + count), half);
  throw new TypeError(`logits of type ${tensor.type}`);
}

export type FloatType = 'float32' | 'float16';

/** Keys or values of no position, [1, heads, 0, size]. */
export function emptyColumns(type: FloatType, heads: number, size: number): Tensor {
  const dims = [1, heads, 0, size];
  return type === 'float32' ? new Tensor('float32', new Float32Array(0), dims) : new Tensor('float16', new Uint16Array(0), dims);
}

/** Positions of keys or values [1, heads, positions, size]. */
export const columnsOf = ({ dims }: Tensor): number => dims[2] ?? 0;

/** The first `length` positions; copied where there are more, for a prefix is not contiguous in that layout. */
export function firstOf(tensor: Tensor, length: number): Tensor {
  return length === columnsOf(tensor) ? tensor : sideBySide([tensor], length);
}

/** The positions of `first` with those of `second` behind them; where one has none, the other itself. */
export function joinColumns(first: Tensor, second: Tensor): Tensor {
  if (columnsOf(first) === 0) return second;
  if (columnsOf(second) === 0) return first;
  return sideBySide([first, second], columnsOf(first) + columnsOf(second));
}

/** The first `length` positions of tensors that stand behind each other. */
function sideBySide(tensors: readonly Tensor[], length: number): Tensor {
  const [, heads = 0, , size = 0] = tensors[0]?.dims ?? [];
  const dims = [1, heads, length, size];
  const data = tensors.map((tensor) => tensor.data);
  const parts = tensors.map(columnsOf).map((columns) => columns * size);
  if (data.every((each) => each instanceof Float32Array)) return new Tensor('float32', interleave(data, parts, new Float32Array(heads * length * size), heads), dims);
  if (data.every((each) => each instanceof Uint16Array)) return new Tensor('float16', interleave(data, parts, new Uint16Array(heads * length * size), heads), dims);
  throw new TypeError(`key/value cache of type ${tensors[0]?.type ?? ''}`);
}

/** Head by head. `strides`: elements of a head in each source. */
function interleave<T extends Float32Array | Uint16Array>(from: readonly T[], strides: readonly number[], to: T, heads: number): T {
  const room = to.length / Math.max(1, heads);
  for (let head = 0; head < heads; head++) {
    let at = 0;
    for (const [i, source] of from.entries()) {
      const stride = strides[i] ?? 0;
      const count = Math.min(stride, room - at);
      to.set(source.subarray(head * stride, head * stride + count), head * room + at);
      at += count;
    }
  }
  return to;
}
