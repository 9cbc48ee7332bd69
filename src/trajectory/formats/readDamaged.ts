import type { Finding } from '../model';
import type { ReadOptions } from '../options';
import type { Draft, KeptDraft, RowFormat } from './format';
import { isOf, readRow } from './readRow';
import { rowOf } from './row';
import { salvage } from './salvage';
import { formatOfRow } from './table';

/** What a record that is no JSON says up to where it breaks; a text: why it says nothing, which completes "This record …". */
export function readDamaged(text: string, format: RowFormat, fault: string, options: ReadOptions): Draft | KeptDraft | string {
  const unreadable = `is not JSON (${fault})`;
  const found = salvage(text);
  const row = rowOf(found?.value);
  if (found === undefined || row === undefined) return unreadable;
  const own = isOf(format, row, true, options) ? format : formatOfRow(row, true, options.dialects);
  const draft = own === undefined ? unreadable : readRow(own, row, options);
  if (own === undefined || typeof draft === 'string') return unreadable;
  if (found.intact === undefined) return noted(draft, 'warning', `The record is not quite JSON (${found.fault}); it is read all the same.`);
  const before = rowOf(found.intact);
  const intact = before === undefined ? unreadable : readRow(own, before, options);
  // Where the rollout is the same without the last member, that is not where it breaks off.
  if (typeof intact !== 'string' && rolloutOf(intact) === rolloutOf(draft)) {
    return noted(intact, 'error', `The record is not JSON (${found.fault}); the rollout stands before that, and what follows is left out.`);
  }
  const damaged: Draft | KeptDraft = 'kept' in draft ? { ...draft, kept: { ...draft.kept, ending: 'damaged' } } : { ...draft, ending: 'damaged' };
  return noted(damaged, 'error', `The record is not JSON (${found.fault}); the rollout is read up to there.`);
}

const rolloutOf = (draft: Draft | KeptDraft): string => ('kept' in draft ? draft.kept.text : draft.rollout.text);

function noted<D extends Draft | KeptDraft>(draft: D, severity: Finding['severity'], message: string): D {
  return { ...draft, notes: [{ code: 'damaged', severity, message }, ...(draft.notes ?? [])] };
}
