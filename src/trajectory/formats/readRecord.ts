import { nestsTooDeep } from '../json';
import type { Finding } from '../model';
import { parseNonFinite } from '../nonFinite';
import type { Value } from '../nonFinite';
import type { ReadOptions } from '../options';
import type { RecordResult } from '../records';
import { countValues } from '../values';
import { finish } from './finish';
import type { Draft, KeptDraft, RowFormat } from './format';
import type { ParsedRecord } from './parsedRecord';
import { readDamaged } from './readDamaged';
import { readLines } from './readLines';
import { isOf, readRow } from './readRow';
import { listKey, rowOf } from './row';
import type { Row } from './row';
import { knownSamples } from './sampledRow';
import { formatOfRow } from './table';
import { writtenUnder } from './writtenGolds';

interface Read {
  readonly draft: Draft | KeptDraft;
  /** NaN or Infinity stood in it. */
  readonly nonFinite: boolean;
}

/**
 * Reads one record that is JSON. `format`: what most of the file's records are; a record of another format is read by that. `part`: which of the rollouts
 * of a row that holds several. Never throws.
 */
export function readRecord(record: ParsedRecord, format: RowFormat, options: ReadOptions, part?: number): RecordResult {
  const { source, text, parsed } = record;
  if (text.trim() === '') return skipped('holds nothing but NUL bytes');
  const read = 'fault' in parsed ? readBroken(text, format, parsed.fault, options, part) : readWhole(parsed, record, format, options, part);
  if (typeof read === 'string') return skipped(read);
  return finish({ ...asWritten(read.draft, text), notes: [...damage(text !== source, read.nonFinite), ...(read.draft.notes ?? [])] }, options);
}

function readWhole({ value, nonFinite }: Value, record: ParsedRecord, format: RowFormat, options: ReadOptions, part?: number): Read | string {
  if (nestsTooDeep(value)) return 'nests brackets too deep';
  const whole = rowOf(value);
  if (whole === undefined) return 'is no rollout: it is not an object';
  const row = rolloutOfRow(whole, record, options, part);
  if (typeof row === 'string') return row;
  const own = isOf(format, row, false, options) ? format : (formatOfRow(row, false, options.dialects) ?? format);
  const draft = readRow(own, row, options);
  return typeof draft === 'string' ? draft : { draft: { ...draft, notes: [...record.duplicates, ...(draft.notes ?? [])] }, nonFinite };
}

/** The row, or of several rollouts in it the one that is read; a text: why none is. */
function rolloutOfRow(row: Row, { samples }: ParsedRecord, { dialects }: ReadOptions, part?: number): Row | string {
  if (part !== undefined) return samples !== undefined && part < samples.count ? samples.row(part) : row;
  const known = knownSamples(row, false, dialects)?.samples;
  if (known === undefined) return row;
  return known.count === 1 ? known.row(0) : `holds ${String(known.count)} rollouts, in a file whose first rows hold one each; put such rows into a file of their own, where each rollout is a record`;
}

/** A record that is no JSON: the steps of a file of lines, or what can be saved of one value. */
function readBroken(text: string, format: RowFormat, fault: string, options: ReadOptions, part?: number): Read | string {
  const several = countValues(text) > 1;
  const steps = format.lines !== undefined && (several || startsWithLine(text)) ? readSteps(text, format, options) : undefined;
  if (steps !== undefined) return steps;
  if (several) return 'holds several values one after the other; each needs a line of its own';
  const draft = readDamaged(text, format, fault, options, part);
  return typeof draft === 'string' ? draft : { draft, nonFinite: false };
}

/** Whether the first line is a value of its own. */
const startsWithLine = (text: string): boolean => !('fault' in parseNonFinite(text.trimStart().split('\n', 1)[0] ?? ''));

/** A file whose lines are the steps of one record; `undefined`: they are none. */
function readSteps(text: string, format: RowFormat, options: ReadOptions): Read | string | undefined {
  const { rows, notes, cut, nonFinite } = readLines(text);
  const row = { [listKey]: rows };
  if (rows.length === 0 || !format.matches(row, false)) return undefined;
  const draft = format.read(row, options);
  if (typeof draft === 'string') return draft;
  return { draft: { ...draft, ...(cut ? { ending: 'damaged' } : {}), notes: [...notes, ...(draft.notes ?? [])] }, nonFinite };
}

function asWritten(draft: Draft | KeptDraft, text: string): Draft | KeptDraft {
  if ('kept' in draft || draft.golds === undefined) return draft;
  const written = writtenUnder(text, draft.golds.key, draft.golds.value);
  return written === undefined ? draft : { ...draft, golds: { ...draft.golds, written } };
}

const skipped = (why: string): RecordResult => ({ kind: 'problem', message: `This record ${why}; it is skipped.` });

function damage(nul: boolean, nonFinite: boolean): readonly Finding[] {
  const found = [
    ...(nul ? ['The record holds NUL bytes, which are left out; the file was probably damaged when it was written.'] : []),
    ...(nonFinite ? ['The row holds NaN or Infinity, which are not JSON; they are read as unknown.'] : []),
  ];
  return found.map((message) => ({ code: 'damaged', severity: 'warning', message }));
}
