import { brief } from '../trajectory/visible';
import { partScheme, rawScheme, transcriptScheme } from './ids';

/** One rollout of one file: what scores belong to, whichever document shows it. */
export interface Rollout {
  /** The source file's URI, as a string. */
  readonly source: string;
  /** Counted from 0 over the file's records. */
  readonly record: number;
  /** The path of a line beside the record's main one (lineNames.ts). Absent: the main one. */
  readonly line?: string;
}

export const rolloutKey = (r: Rollout): string => `${r.source}#${r.record}${r.line === undefined ? '' : `#${r.line}`}`;

/** The parts of a transcript's URI: a path for people, and in the query everything needed to render it again after a reload. */
export interface TranscriptAddress {
  readonly path: string;
  readonly query: string;
}

/** The extension and the ` · record N` before it are what gives the document its language (package.json). */
export function transcriptAddress(r: Rollout, sourcePath: string): TranscriptAddress {
  // What was never saved has no folder, and a file system knows no other path.
  return { path: `${sourcePath.startsWith('/') ? '' : '/'}${sourcePath} · ${fileWords(r)}.transcript`, query: JSON.stringify(r) };
}

/** The record and the line beside its main one, as part of a file's name. */
export const fileWords = ({ record, line }: Rollout): string => `record ${record}${line === undefined ? '' : ` · ${fileName(line)}`}`;

/** The same for people. */
export const recordWords = ({ record, line }: Rollout): string => `record ${record}${line === undefined ? '' : `, ${shortName(line)}`}`;

/** A line's name as part of a file's. */
export const fileName = (line: string): string => shortName(line).replace(/[\\/:*?"<>|\s]+/g, ' ').trim();

const longestName = 60;

/** Both ends of a line's name: lines of one kind begin alike, and those beside one line too. */
function shortName(line: string): string {
  const cut = line.length > longestName ? `${line.slice(0, longestName / 2 - 1)}…${line.slice(-longestName / 2)}` : line;
  return brief(cut, longestName);
}

/** `undefined`: not an address that {@link transcriptAddress} made. */
export function rolloutOf(query: string): Rollout | undefined {
  try {
    const r: unknown = JSON.parse(query);
    if (typeof r !== 'object' || r === null || !('source' in r) || !('record' in r)) return undefined;
    if (typeof r.source !== 'string' || !Number.isSafeInteger(r.record)) return undefined;
    return { source: r.source, record: r.record as number, ...('line' in r && typeof r.line === 'string' ? { line: r.line } : {}) };
  } catch {
    return undefined;
  }
}

const shownBy: readonly string[] = [transcriptScheme, rawScheme, partScheme];

/** What a document of ours shows, all of it or a part; `undefined`: it is none of ours. */
export const shownRollout = ({ scheme, query }: { readonly scheme: string; readonly query: string }): Rollout | undefined => (shownBy.includes(scheme) ? rolloutOf(query) : undefined);
