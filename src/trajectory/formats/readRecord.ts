import { nestsTooDeep } from '../json';
import type { Finding } from '../model';
import { parseNonFinite } from '../nonFinite';
import type { ReadOptions } from '../options';
import type { RecordResult } from '../records';
import { countValues } from '../values';
import { duplicateKeys } from './duplicateKeys';
import { finish } from './finish';
import type { Draft, KeptDraft, RowFormat } from './format';
import { readDamaged } from './readDamaged';
import { readLines } from './readLines';
import { listKey, rowOf } from './row';
import { formatOfRow } from './table';
import { writtenUnder } from './writtenGolds';

/** Reads one record that is JSON. `format`: what most of the file's records are; a record of another format is read by that. Never throws. */
export function readRecord(source: string, format: RowFormat, options: ReadOptions): RecordResult {
  const text = source.replaceAll('\0', '');
  if (text.trim() === '') return skipped('holds nothing but NUL bytes');
  const parsed = parseNonFinite(text);
  if ('fault' in parsed) {
    if (format.lines !== undefined) return readSteps(text, format, options, countValues(text) > 1 ? several : `is not JSON (${parsed.fault})`);
    const damaged = countValues(text) > 1 ? several : readDamaged(text, format, parsed.fault, options);
    return typeof damaged === 'string' ? skipped(damaged) : finish({ ...damaged, notes: [...damage(text !== source, false), ...(damaged.notes ?? [])] }, options);
  }
  if (nestsTooDeep(parsed.value)) return skipped('nests brackets too deep');
  const row = rowOf(parsed.value);
  if (row === undefined) return skipped('is no rollout: it is not an object');
  const own = format.matches(row, false, options.dialects) ? format : (formatOfRow(row, false, options.dialects) ?? format);
  const draft = own.lines?.([row], false) === true ? own.read({ [listKey]: [row] }, options) : own.read(row, options);
  if (typeof draft === 'string') return skipped(draft);
  const notes = [...damage(text !== source, parsed.nonFinite), ...duplicateKeys(text), ...(draft.notes ?? [])];
  return finish({ ...asWritten(draft, text), notes }, options);
}

function asWritten(draft: Draft | KeptDraft, text: string): Draft | KeptDraft {
  if ('kept' in draft || draft.golds === undefined) return draft;
  const written = writtenUnder(text, draft.golds.key, draft.golds.value);
  return written === undefined ? draft : { ...draft, golds: { ...draft.golds, written } };
}

const several = 'holds several values one after the other; each needs a line of its own';

/** A file whose lines are the steps of one record. */
function readSteps(text: string, format: RowFormat, options: ReadOptions, fault: string): RecordResult {
  const { rows, notes, cut } = readLines(text);
  const row = { [listKey]: rows };
  if (rows.length === 0 || !format.matches(row, false)) return skipped(fault);
  const draft = format.read(row, options);
  if (typeof draft === 'string') return skipped(draft);
  return finish({ ...draft, ...(cut ? { ending: 'damaged' } : {}), notes: [...notes, ...(draft.notes ?? [])] }, options);
}

const skipped = (why: string): RecordResult => ({ kind: 'problem', message: `This record ${why}; it is skipped.` });

function damage(nul: boolean, nonFinite: boolean): readonly Finding[] {
  const found = [
    ...(nul ? ['The record holds NUL bytes, which are left out; the file was probably damaged when it was written.'] : []),
    ...(nonFinite ? ['The row holds NaN or Infinity, which are not JSON; they are read as unknown.'] : []),
  ];
  return found.map((message) => ({ code: 'damaged', severity: 'warning', message }));
}
