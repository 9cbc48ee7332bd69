import { nestsTooDeep } from '../json';
import { parseNonFinite } from '../nonFinite';
import { rowOf } from './row';
import { salvage } from './salvage';
import { sampledRows } from './sampledRow';

/** How many rollouts of one question a row holds, as far as its text goes; `undefined`: it is a record of its own. Never throws. */
export function rolloutsOfText(source: string): number | undefined {
  const text = source.replaceAll('\0', '');
  const parsed = parseNonFinite(text);
  const broken = 'fault' in parsed;
  const value = broken ? salvage(text)?.value : parsed.value;
  const row = value === undefined || nestsTooDeep(value) ? undefined : rowOf(value);
  return row === undefined ? undefined : sampledRows(row, broken)?.length;
}
