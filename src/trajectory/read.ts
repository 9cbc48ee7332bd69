import { readChatText } from './formats/readChat';
import { ParsedRecord } from './formats/parsedRecord';
import { readRecord } from './formats/readRecord';
import { findFormat } from './formats/table';
import { verl } from './formats/verl';
import { readNativeText } from './native';
import type { ReadOptions } from './options';
import type { Format, RecordResult } from './records';

/** One trajectory in the native format, from a file or from an editor's unsaved text. Offsets in the result count in `text` as given. */
export function readNative(text: string, options: ReadOptions = {}): RecordResult {
  return readNativeText(text, options);
}

/** One record of a file of that format. */
export function readText(text: string, format: Format, options: ReadOptions = {}): RecordResult {
  if (format === 'native') return readNative(text, options);
  if (format === 'chat-text') return readChatText(text, options);
  return readRecord(new ParsedRecord(text), findFormat(format) ?? verl, options);
}

/** One of the rollouts of a row that holds several. */
export const readPart = (row: ParsedRecord, part: number, format: Format, options: ReadOptions = {}): RecordResult => readRecord(row, findFormat(format) ?? verl, options, part);
