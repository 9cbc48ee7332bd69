import { readChatText } from './formats/readChat';
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

/** One record of a file of that format. @param part which of the rollouts of a row that holds several */
export function readText(text: string, format: Format, options: ReadOptions = {}, part?: number): RecordResult {
  if (format === 'native') return readNative(text, options);
  if (format === 'chat-text') return readChatText(text, options);
  return readRecord(text, findFormat(format) ?? verl, options, part);
}
