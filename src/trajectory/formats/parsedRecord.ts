import { nestsTooDeep } from '../json';
import type { Finding } from '../model';
import { parseNonFinite } from '../nonFinite';
import { duplicateKeys } from './duplicateKeys';
import { rowOf } from './row';
import { salvage } from './salvage';
import { samplesOf } from './sampledRow';
import type { Samples } from './sampledRow';

/** A record's text and what it says as a whole, found once however many rollouts are read of it. */
export class ParsedRecord {
  /** Without the NUL bytes that damage leaves. */
  readonly text: string;
  readonly parsed: ReturnType<typeof parseNonFinite>;
  private samplesFound: { readonly samples: Samples | undefined } | undefined;
  private duplicatesFound: readonly Finding[] | undefined;

  constructor(readonly source: string) {
    this.text = source.replaceAll('\0', '');
    this.parsed = parseNonFinite(this.text);
  }

  /** The rollouts of a row that holds several, as far as its text goes; `undefined`: it is one, or none. */
  get samples(): Samples | undefined {
    this.samplesFound ??= { samples: this.samplesIn() };
    return this.samplesFound.samples;
  }

  get duplicates(): readonly Finding[] {
    this.duplicatesFound ??= duplicateKeys(this.text);
    return this.duplicatesFound;
  }

  private samplesIn(): Samples | undefined {
    const broken = 'fault' in this.parsed;
    const value = 'fault' in this.parsed ? salvage(this.text)?.value : this.parsed.value;
    const row = value === undefined || nestsTooDeep(value) ? undefined : rowOf(value);
    return row === undefined ? undefined : samplesOf(row, broken);
  }
}
