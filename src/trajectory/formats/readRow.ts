import type { ReadOptions } from '../options';
import type { Draft, KeptDraft, RowFormat } from './format';
import { listKey } from './row';
import type { Row } from './row';

/** A row may be the only step of a record whose steps stand one a line. */
const isStep = ({ lines }: RowFormat, row: Row): boolean => lines?.([row], false) === true;

export const isOf = (format: RowFormat, row: Row, cut: boolean, { dialects }: ReadOptions): boolean => format.matches(row, cut, dialects) || isStep(format, row);

export const readRow = (format: RowFormat, row: Row, options: ReadOptions): Draft | KeptDraft | string => format.read(isStep(format, row) ? { [listKey]: [row] } : row, options);
