import type { Encoding } from './decode';
import type { ByteSource, RecordRange } from './records';
import { asciiUnits } from './units';

const chunkSize = 1 << 20;
const opening = [...'<|im_start|>'].map((char) => char.charCodeAt(0));
const system = [...'system'].map((char) => char.charCodeAt(0));
/** Of the longest mark that begins a chat. */
const longest = opening.length + system.length;

/**
 * Where each chat of a plain text stands: a chat begins with a system's message, or with a message after a blank line. Text before the first is a
 * record too. Rejects with the signal's reason when it aborts.
 */
export async function findChats(source: ByteSource, encoding: Encoding, signal?: AbortSignal): Promise<readonly RecordRange[]> {
  const width = encoding === 'utf-8' ? 1 : 2;
  const size = await source.size();
  const starts: { readonly at: number; readonly line: number }[] = [];
  let line = 0;
  let feeds = 2;
  let blank = true;
  for (let at = 0; at < size; ) {
    signal?.throwIfAborted();
    const end = Math.min(size, at + chunkSize);
    // A mark that the chunk's end cuts is seen whole.
    const units = asciiUnits(await source.read(at, Math.min(size, end + longest * width)), encoding);
    const limit = (end - at) / width;
    for (let i = 0; i < limit; i++) {
      const unit = units[i] ?? 0;
      if (unit === 0x0a) {
        line++;
        feeds++;
      } else if (unit > 0x20) {
        if (unit === opening[0] && feeds > 0 && matches(units, i, opening) && (feeds > 1 || matches(units, i + opening.length, system))) starts.push({ at: at + i * width, line });
        else if (blank) starts.push({ at: at + i * width, line });
        feeds = 0;
        blank = false;
      }
    }
    at = end;
  }
  return starts.map(({ at, line: first }, i) => ({ record: i, start: at, end: starts[i + 1]?.at ?? size, line: first }));
}

function matches(units: Uint8Array, at: number, mark: readonly number[]): boolean {
  return mark.every((unit, i) => units[at + i] === unit);
}
