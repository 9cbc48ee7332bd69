import { meantLength, stringsOf, writtenLength, type RecordString } from './recordStrings';
import { occurrences } from './textSearch';

/**
 * Where the same words stand in a record as it is written and in {@link Trajectory.text}. By the words themselves: every format puts strings of its
 * record into the text, few of them whole, and none needs to say which.
 */

/** Words around a place, in code units: as many as it takes until they occur once. */
const widths = [16, 64, 256, 1024, 4096, Infinity];
/** Fewer, for a string that is shorter than that. */
const fewer = [[8], [4]];
/** Occurrences of the same words that are told apart by their order. */
const mostTold = 10_000;

/** From an offset of a record's text to one of the trajectory's; `undefined` where the text has nothing of what stands there. */
export function placeInText(record: string, offset: number, text: string): number | undefined {
  const strings = stringsOf(record);
  const at = strings.findIndex(({ start, raw }) => offset >= start && offset <= start + raw.length);
  const own = strings[at];
  if (!own) return undefined;
  const words = narrowest(own.value, meantLength(own, offset - own.start), widths, (probe) => occurrences(text, probe, mostTold));
  if (!words) return undefined;
  const earlier = strings.slice(0, at).reduce((n, { value }) => n + occurrences(value, words.probe, mostTold).length, 0) + countBefore(own.value, words);
  return nth(words.found, earlier) + words.lead;
}

/** From an offset of the trajectory's text to one of its record's; `undefined` where no string of the record has what stands there. */
export function placeInRecord(record: string, text: string, offset: number): number | undefined {
  const strings = stringsOf(record);
  const find = (probe: string): Found[] => strings.flatMap((string) => occurrences(string.value, probe, mostTold).map((at) => ({ string, at })));
  const words = [widths, ...fewer].reduce<Words<Found> | undefined>((found, some) => found ?? narrowest(text, offset, some, find), undefined);
  if (!words) return undefined;
  const { string, at } = nth(words.found, countBefore(text, words));
  return string.start + writtenLength(string, at + words.lead);
}

interface Found {
  readonly string: RecordString;
  readonly at: number;
}

interface Words<T> {
  readonly probe: string;
  /** Of the probe in what it was taken from. */
  readonly start: number;
  /** From the probe's start to the place. */
  readonly lead: number;
  readonly found: readonly [T, ...T[]];
}

/** The words around `at` that occur the least often, but at all: around it, else behind it, else before it. */
function narrowest<T>(from: string, at: number, widths: readonly number[], find: (probe: string) => readonly T[]): Words<T> | undefined {
  let best: Words<T> | undefined;
  for (const [before, behind] of [[0.5, 0.5], [0, 1], [1, 0]] as const) {
    for (const width of widths) {
      const start = Math.max(0, at - (before ? Math.floor(width * before) : 0));
      const probe = from.slice(start, at + (behind ? Math.ceil(width * behind) : 0));
      if (probe.trim() === '') continue;
      const [first, ...more] = find(probe);
      if (first === undefined) break;
      if (!best || more.length + 1 < best.found.length) best = { probe, start, lead: at - start, found: [first, ...more] };
      if (best.found.length === 1) return best;
      if (probe.length === from.length) break;
    }
  }
  return best;
}

const countBefore = (from: string, { probe, start }: Words<unknown>): number => occurrences(from, probe, mostTold).filter((at) => at < start).length;

/** The last one where there are fewer. */
const nth = <T>(found: readonly [T, ...T[]], n: number): T => found[Math.min(n, found.length - 1)] ?? found[0];
