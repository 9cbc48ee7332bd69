/** One rollout of one file: what scores belong to, whichever document shows it. */
export interface Rollout {
  /** The source file's URI, as a string. */
  readonly source: string;
  /** Counted from 0 over the file's records. */
  readonly record: number;
}

export const rolloutKey = (r: Rollout): string => `${r.source}#${r.record}`;

/** The parts of a transcript's URI: a path for people, and in the query everything needed to render it again after a reload. */
export interface TranscriptAddress {
  readonly path: string;
  readonly query: string;
}

/** The extension and the ` · record N` before it are what gives the document its language (package.json). */
export function transcriptAddress(r: Rollout, sourcePath: string): TranscriptAddress {
  return { path: `${sourcePath} · record ${r.record}.transcript`, query: JSON.stringify(r) };
}

/** `undefined`: not an address that {@link transcriptAddress} made. */
export function rolloutOf(query: string): Rollout | undefined {
  try {
    const r: unknown = JSON.parse(query);
    if (typeof r !== 'object' || r === null || !('source' in r) || !('record' in r)) return undefined;
    return typeof r.source === 'string' && Number.isSafeInteger(r.record) ? { source: r.source, record: r.record as number } : undefined;
  } catch {
    return undefined;
  }
}
