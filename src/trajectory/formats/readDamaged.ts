import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import type { Draft, KeptDraft, RowFormat } from './format';
import { isOf, readRow } from './readRow';
import { isRow, rowOf } from './row';
import type { Row } from './row';
import { salvage } from './salvage';
import { samplesOf } from './sampledRow';
import { formatOfRow } from './table';

/** What a record that is no JSON says up to where it breaks; a text: why it says nothing, which completes "This record …". */
export function readDamaged(text: string, format: RowFormat, fault: string, options: ReadOptions, part?: number): Draft | KeptDraft | string {
  const unreadable = `is not JSON (${fault})`;
  const found = salvage(text);
  const rowIn = (value: unknown): Row | undefined => partOf(rowOf(value), part);
  const row = rowIn(found?.value);
  if (found === undefined || row === undefined) return unreadable;
  const own = isOf(format, row, true, options) ? format : formatOfRow(row, true, options.dialects);
  if (own === undefined) return unreadable;
  const draft = readable(own, row, options) ?? readable(own, rowIn(withoutPart(found.value)), options);
  if (draft === undefined) return unreadable;
  if (found.intact === undefined) return noted(draft, 'warning', `The record is not quite JSON (${found.fault}); it is read all the same.`);
  const before = rowIn(found.intact) ?? (part === undefined ? undefined : rowIn(withoutPart(found.value)));
  const intact = before === undefined ? unreadable : readRow(own, before, options);
  // Where the rollout is the same without the last member, that is not where it breaks off; of a list that is the rollout, more was to come.
  if (!Array.isArray(found.value) && typeof intact !== 'string' && rolloutOf(intact) === rolloutOf(draft)) {
    return noted(intact, 'error', `The record is not JSON (${found.fault}); the rollout stands before that, and what follows is left out.`);
  }
  const damaged: Draft | KeptDraft = 'kept' in draft ? { ...draft, kept: { ...draft.kept, ending: 'damaged' } } : { ...draft, ending: 'damaged' };
  return noted(damaged, 'error', `The record is not JSON (${found.fault}); the rollout is read up to there.`);
}

/** Of a row that holds several rollouts, the one that is read; `undefined`: the row breaks off before it. */
function partOf(row: Row | undefined, part?: number): Row | undefined {
  if (part === undefined || row === undefined) return row;
  const samples = samplesOf(row, true);
  return samples !== undefined && part < samples.count ? samples.row(part) : undefined;
}

function readable(format: RowFormat, row: Row | undefined, options: ReadOptions): Draft | KeptDraft | undefined {
  const draft = row === undefined ? undefined : readRow(format, row, options);
  return typeof draft === 'string' ? undefined : draft;
}

/** The value without the last element of the outermost list in which it breaks off: a part of a message may not say whose it is. */
function withoutPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, -1);
  if (!isRow(value)) return value;
  const last = Object.entries(value).at(-1);
  return last === undefined ? value : { ...value, [last[0]]: withoutPart(last[1]) };
}

const rolloutOf = (draft: Draft | KeptDraft): string => ('kept' in draft ? draft.kept.text : draft.rollout.text);

function noted<D extends Draft | KeptDraft>(draft: D, severity: Finding['severity'], message: string): D {
  return { ...draft, notes: [{ code: 'damaged', severity, message }, ...(draft.notes ?? [])] };
}
