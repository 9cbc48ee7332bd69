import { nestsTooDeep } from '../json';
import type { Finding } from '../model';
import { parseNonFinite } from '../nonFinite';
import { isRow } from './row';
import type { Row } from './row';

/** The lines of a file as one record. */
export interface Lines {
  readonly rows: readonly Row[];
  /** One for each line that is left out. */
  readonly notes: readonly Finding[];
  /** The last line breaks off, so that what followed is not known. */
  readonly cut: boolean;
  /** NaN or Infinity stood in one of them. */
  readonly nonFinite: boolean;
}

export function readLines(text: string): Lines {
  const rows: Row[] = [];
  const notes: Finding[] = [];
  let cut = false;
  let nonFinite = false;
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const parsed = parseNonFinite(line.trim());
    cut = 'fault' in parsed;
    nonFinite ||= 'nonFinite' in parsed && parsed.nonFinite;
    if ('fault' in parsed) notes.push(leftOut(i, `is not JSON (${parsed.fault})`));
    else if (nestsTooDeep(parsed.value)) notes.push(leftOut(i, 'nests brackets too deep'));
    else if (isRow(parsed.value)) rows.push(parsed.value);
    else notes.push(leftOut(i, 'is no step: it is not an object'));
  });
  return { rows, notes, cut, nonFinite };
}

/** Lines are counted in the record, which is the file. */
const leftOut = (i: number, why: string): Finding => ({ code: 'damaged', severity: 'warning', message: `Line ${String(i + 1)} ${why}; it is left out.` });
