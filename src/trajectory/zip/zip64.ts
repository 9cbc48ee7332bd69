/** Sizes of an entry, and where its own header begins. */
export interface Sizes {
  readonly size: number;
  readonly packed: number;
  readonly at: number;
}

/** In a field of 32 bits: the number stands in the entry's extra field, for it is larger. */
const elsewhere = 0xffffffff;
const kind = 1;

/** The sizes of an entry, where they are too large for its header from its extra field, which holds those that are missing in this order. */
export function sizesOf(narrow: Sizes, extra: DataView): Sizes {
  const field = wideField(extra);
  if (field === undefined) return narrow;
  let next = field.start;
  const wide = (value: number): number => {
    if (value !== elsewhere || next + 8 > field.end) return value;
    next += 8;
    return Number(extra.getBigUint64(next - 8, true));
  };
  return { size: wide(narrow.size), packed: wide(narrow.packed), at: wide(narrow.at) };
}

function wideField(extra: DataView): { readonly start: number; readonly end: number } | undefined {
  for (let at = 0; at + 4 <= extra.byteLength; ) {
    const start = at + 4;
    const end = start + extra.getUint16(at + 2, true);
    if (end > extra.byteLength) return undefined;
    if (extra.getUint16(at, true) === kind) return { start, end };
    at = end;
  }
  return undefined;
}
