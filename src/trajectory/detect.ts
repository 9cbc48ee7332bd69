import { templateOfChat } from './chatTemplates';
import { decode, encodingOf } from './decode';
import type { Dialect } from './dialect';
import { binarySentence, foreignJsonSentence, plainTextSentence } from './foreign';
import { flatRow } from './formats/flatRow';
import { lotapo } from './formats/lotapo';
import { isRow, rowOf } from './formats/row';
import { formatOfLines, formatOfRow } from './formats/table';
import { tauBench } from './formats/tauBench';
import { knownSamples } from './formats/sampledRow';
import { framingsOf, inspectFraming, isList, lineValues, samples, tauFraming } from './framing';
import type { Framing, Sample } from './framing';
import { nestsTooDeep, parseJson, tooDeep, valueOf } from './json';
import { parseNonFinite } from './nonFinite';
import type { FileKind } from './records';
import { sniff } from './sniff';
import { topLevelOf } from './topLevel';
import type { TopLevel } from './topLevel';
import { brief } from './visible';

/** Bytes from the start of a file that {@link detectFile} wants to see. */
export const headSize = 65_536;

/**
 * What a file is, by its content; `name` is for messages alone. A foreign file gets one plain sentence. Never throws.
 * @param own the user's dialects, by whose tags rollouts are told too
 */
export function detectFile(head: Uint8Array, name: string, own: readonly Dialect[] = []): FileKind {
  return detect(head.subarray(0, headSize), name, head.length >= headSize, own).file;
}

export interface Detected {
  readonly file: FileKind;
  readonly framing: Framing;
}

/** The same, and how the records stand in the file. `more`: the file goes on after `head`. */
export function detect(head: Uint8Array, name: string, more: boolean, own: readonly Dialect[] = []): Detected {
  const shown = brief(name.split(/[\\/]/).at(-1) ?? name, 255);
  const foreign = (sentence: string): Detected => ({ file: { kind: 'foreign', message: `${shown} ${sentence}.` }, framing: { kind: 'document' } });
  const binary = binarySentence(head);
  if (binary !== undefined) return foreign(binary);
  const { text: whole } = decode(head, encodingOf(head));
  const text = whole.replaceAll('\0', '').trimStart();
  if (looksBinary(whole, text)) return foreign('is a binary file, not a trajectory of an agent; it stays with the program it belongs to');
  if (isChatText(text, own)) return of('chat-text', { kind: 'chats' });
  const top = topLevelOf(text);
  if (isNative(top, text) && !hasTextBesideTurns(text, top, more || top.end === undefined, own)) return of('native', nativeFraming(text, top, more));
  if (isInspectLog(top)) return of('inspect', inspectFraming);
  if (isThreadHistory(top)) return of('langgraph', { kind: 'values', open: [] });
  const steps = formatOfLines(lineValues(text).filter(isRow), more);
  if (steps !== undefined) return of(steps.id, { kind: 'document' });
  // A file that breaks off in its only record is told as if it went on.
  const breaksOff = !more && top.kind === 'object' && top.end === undefined;
  const found = byRecords(text, top, more, own) ?? (breaksOff ? byRecords(text.trimEnd(), top, true, own) : undefined);
  if (found !== undefined) return found;
  if (more && isTau2(top)) return of(tauBench.id, tauFraming);
  if (isBareNative(top)) return of('native', nativeFraming(text, top, more));
  return foreign(top.kind === 'object' || top.kind === 'array' ? foreignJsonSentence(top, text) : plainTextSentence(text));
}

const of = (format: string, framing: Framing): Detected => ({ file: { kind: 'trajectories', format }, framing });

/** By the first records of the likeliest framing in which they are of a known format. */
function byRecords(text: string, top: TopLevel, more: boolean, own: readonly Dialect[]): Detected | undefined {
  for (const framing of framingsOf(text, top)) {
    const found = formatOfSamples(samples(text, framing, more), framing, own);
    if (found !== undefined) return of(found.format, found.several && framing.kind !== 'rows' ? { kind: 'rows', rows: framing } : framing);
  }
  return undefined;
}

/** Text holds hardly any control character; NUL bytes are taken for damage where JSON or a chat is left without them. */
function looksBinary(whole: string, text: string): boolean {
  if (whole.slice(0, 8_192).includes('\0') && !/^(?:[[{]\s*["{[\]}]|<\|im_start\|>)/.test(text)) return true;
  const start = text.slice(0, 8_192);
  let controls = 0;
  for (let i = 0; i < start.length; i++) {
    const code = start.charCodeAt(i);
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 27) || code === 0xfffd) controls++;
  }
  return controls > start.length / 20;
}

/** Chat markers at the start; or, without them, a thought or a search and the tags of what came back. */
function isChatText(text: string, own: readonly Dialect[]): boolean {
  if (/^<\|(?:im_start|begin_of_text|start_header_id)\|>/.test(text) || templateOfChat(text) !== undefined) return true;
  const opens = own.flatMap(({ tags }) => [tags.think.open, tags.search.open]).some((tag) => text.startsWith(tag));
  if (!opens && !/^<(?:think|search|reasoning|\|begin_)/.test(text)) return false;
  const dialect = sniff(text, { dialects: own });
  return dialect !== undefined && text.includes(dialect.tags.search.close) && text.includes(dialect.tags.observation.open);
}

/** The format of the first record that has one; `several`: some row holds several. */
function formatOfSamples(records: readonly Sample[], framing: Framing, own: readonly Dialect[]): { readonly format: string; readonly several: boolean } | undefined {
  const nested = framing.kind === 'values' && framing.nested === true;
  let first: string | undefined;
  for (const record of records) {
    const value = valueIn(record);
    const row = nested && Array.isArray(value) ? undefined : rowOf(value);
    if (row === undefined) continue;
    const several = knownSamples(row, record.cut, own);
    if (several !== undefined) return { format: several.format, several: true };
    first ??= formatOfRow(row, record.cut, own)?.id;
  }
  return first === undefined ? undefined : { format: first, several: false };
}

/** The value of a record, as far as its text goes. */
function valueIn({ text, cut }: Sample): unknown {
  if (cut) return tooDeep(text) === undefined ? valueOf(parseJson(text).root) : undefined;
  const parsed = parseNonFinite(text);
  return 'fault' in parsed || nestsTooDeep(parsed.value) ? undefined : parsed.value;
}

/** By its own keys; a list of `turns` alone is common, and counts where the turns have a part of ours. */
function isNative({ kind, keys }: TopLevel, text: string): boolean {
  if (kind !== 'object' || keys.has('trajectory') || keys.has('schema_version') || !isList(keys.get('turns'))) return false;
  return ['question', 'answers', 'dialect'].some((key) => keys.has(key)) || /"(?:think|search|answer)"\s*:/.test(text);
}

/** Other programs list figures of the turns beside the rollout's text. */
function hasTextBesideTurns(text: string, top: TopLevel, more: boolean, own: readonly Dialect[]): boolean {
  const [first] = samples(text, framingsOf(text, top)[0] ?? { kind: 'document' }, more);
  const row = first === undefined ? undefined : rowOf(valueIn(first));
  return row !== undefined && first !== undefined && [lotapo, flatRow].some(({ matches }) => matches(row, first.cut, own));
}

/** τ²-bench writes all its tasks before the first simulation, more than is looked at here. */
const isTau2 = ({ kind, keys }: TopLevel): boolean => kind === 'object' && ['timestamp', 'info'].every((key) => keys.has(key)) && ['array', 'unknown'].includes(keys.get('tasks') ?? '');

/** One that somebody has begun to write, or has got wrong. A number of turns is counted by other programs. */
function isBareNative({ kind, keys }: TopLevel): boolean {
  if (kind !== 'object' || keys.has('trajectory') || keys.has('schema_version') || !keys.has('question')) return false;
  return keys.has('answers') || keys.has('dialect') || ['object', 'string'].includes(keys.get('turns') ?? '');
}

/** By what stands before the samples, which may be more than the beginning that is looked at. */
function isInspectLog({ kind, keys }: TopLevel): boolean {
  return kind === 'object' && keys.has('version') && keys.has('status') && (keys.get('eval') === 'object' || keys.get('eval') === 'unknown');
}

/** A list of the states of one thread of LangGraph is one record. */
function isThreadHistory({ kind, keys }: TopLevel): boolean {
  return kind === 'array' && keys.has('values') && ['checkpoint', 'checkpoint_id', 'parent_checkpoint', 'config', 'parent_config'].some((key) => keys.has(key));
}

/** A document of its own, comments and all, unless another follows: on a line each, or one right after the other. */
function nativeFraming(text: string, { end }: TopLevel, more: boolean): Framing {
  const [first, second] = samples(text, { kind: 'lines' }, more).filter((line) => line.text.startsWith('{'));
  if (first !== undefined && second !== undefined && isObject(first.text)) return { kind: 'lines' };
  return end !== undefined && text.slice(end).trimStart().startsWith('{') ? { kind: 'values', open: [] } : { kind: 'document' };
}

const isObject = (text: string): boolean => {
  const parsed = parseNonFinite(text);
  return !('fault' in parsed) && rowOf(parsed.value) !== undefined;
};
