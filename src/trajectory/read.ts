import { readNativeText } from './native';
import type { ReadOptions } from './options';
import type { RecordResult } from './records';
import { readVerlRow } from './verl';

/** One trajectory in the native format, from a file or from an editor's unsaved text. Offsets in the result count in `text` as given. */
export function readNative(text: string, options: ReadOptions = {}): RecordResult {
  return readNativeText(text, options);
}

/** One row of a verl rollout dump. */
export function readVerl(line: string, options: ReadOptions = {}): RecordResult {
  return readVerlRow(line, options);
}
