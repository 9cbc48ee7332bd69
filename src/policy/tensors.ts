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

/** A tensor [1, heads, 0, size]: the past of a sequence that has not begun. */
export function emptyPast(type: FloatType, heads: number, size: number): Tensor {
  const dims = [1, heads, 0, size];
  return type === 'float32' ? new Tensor('float32', new Float32Array(0), dims) : new Tensor('float16', new Uint16Array(0), dims);
}

/** The first `length` positions of keys or values [1, heads, positions, size], copied: a prefix is not contiguous in that layout. */
export function prefixOf(tensor: Tensor, length: number): Tensor {
  const [, heads = 0, positions = 0, size = 0] = tensor.dims;
  const dims = [1, heads, length, size];
  const data = tensor.data;
  if (data instanceof Float32Array) return new Tensor('float32', copyPrefix(data, new Float32Array(heads * length * size), heads, positions * size, length * size), dims);
  if (data instanceof Uint16Array) return new Tensor('float16', copyPrefix(data, new Uint16Array(heads * length * size), heads, positions * size, length * size), dims);
  throw new TypeError(`key/value cache of type ${tensor.type}`);
}

function copyPrefix<T extends Float32Array | Uint16Array>(from: T, to: T, heads: number, stride: number, count: number): T {
  for (let head = 0; head < heads; head++) to.set(from.subarray(head * stride, head * stride + count), head * count);
  return to;
}
