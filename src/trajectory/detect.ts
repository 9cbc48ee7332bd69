import { decode, encodingOf } from './decode';
import { binarySentence, foreignJsonSentence, plainTextSentence } from './foreign';
import type { FileKind } from './records';
import { topLevelOf } from './topLevel';
import type { TopLevel } from './topLevel';
import { visible } from './visible';

/** Bytes from the start of a file that {@link detectFile} wants to see; more does no harm. */
export const headSize = 65_536;

/** What a file is, by its content; `name` is for messages alone. A foreign file gets one plain sentence. Never throws. */
export function detectFile(head: Uint8Array, name: string): FileKind {
  const shown = visible(name.split(/[\\/]/).at(-1) ?? name, true);
  const foreign = (sentence: string): FileKind => ({ kind: 'foreign', message: `${shown} ${sentence}.` });
  const binary = binarySentence(head);
  if (binary !== undefined) return foreign(binary);
  const { text } = decode(head.subarray(0, headSize), encodingOf(head));
  if (looksBinary(text)) return foreign('is a binary file, not a trajectory of an agent; it stays with the program it belongs to');
  const top = topLevelOf(text);
  if (top.kind !== 'array' && firstLines(text).some((line) => isVerlRow(topLevelOf(line)))) return { kind: 'trajectories', format: 'verl' };
  if (isNative(top, text)) return { kind: 'trajectories', format: 'native' };
  return foreign(top.kind === 'object' || top.kind === 'array' ? foreignJsonSentence(top) : plainTextSentence(text));
}

/** Text holds no NUL and hardly any other control character. */
function looksBinary(text: string): boolean {
  const start = text.slice(0, 8_192);
  let controls = 0;
  for (let i = 0; i < start.length; i++) {
    const code = start.charCodeAt(i);
    if (code === 0) return true;
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 27) || code === 0xfffd) controls++;
  }
  return controls > start.length / 20;
}

/** The first lines that are not blank: a damaged first row does not hide what the others are. */
function firstLines(text: string): readonly string[] {
  return text
    .split('\n', 50)
    .filter((line) => line.trim().startsWith('{'))
    .slice(0, 5);
}

/** `input` is the row's prompt; the rest may lie beyond what was read of a long line. With `instruction` it is a row of training data. */
function isVerlRow({ kind, keys, end }: TopLevel): boolean {
  if (kind !== 'object' || keys.get('input') !== 'string' || keys.has('instruction')) return false;
  if (keys.get('output') === 'string') return true;
  return end === undefined && [...keys.keys()][0] === 'input';
}

/** By its own keys; `turns` alone is common, and counts where the turns have a part of ours. */
function isNative({ kind, keys }: TopLevel, text: string): boolean {
  if (kind !== 'object' || keys.has('trajectory') || keys.has('schema_version')) return false;
  const own = ['question', 'answers', 'dialect'].filter((key) => keys.has(key)).length;
  if (keys.has('turns')) return own > 0 || /"(?:think|search|answer)"\s*:/.test(text);
  return own > 1 && keys.has('question');
}
