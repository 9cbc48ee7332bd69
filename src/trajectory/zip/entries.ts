import type { ByteSource } from '../records';
import { centralDirectory } from './directory';
import { headerSize } from './entry';
import type { ZipEntry } from './entry';
import { entriesByHeaders } from './headers';

export interface ZipEntries {
  /** Without folders; in the archive's order. Of several with one name the last, as archives are appended to. */
  readonly entries: readonly ZipEntry[];
  /** The archive breaks off before its list of entries, so that there may have been more. */
  readonly broken: boolean;
}

/** What an archive holds; nothing is unpacked. A text: why it is not read, which completes "NAME …". Rejects where the source does. */
export async function zipEntries(source: ByteSource, signal?: AbortSignal): Promise<ZipEntries | string> {
  const listed = await centralDirectory(source);
  if (typeof listed === 'string') return listed;
  const found = listed === undefined ? await entriesByHeaders(source, signal) : withOverlaps(listed);
  const byName = new Map(found.filter(({ name }) => !/[/\\]$/.test(name)).map((entry) => [entry.name, entry]));
  return { entries: [...byName.values()], broken: listed === undefined };
}

/** No two entries of an honest archive share bytes; those that do unpack to far more than a disk holds. */
function withOverlaps(entries: readonly ZipEntry[]): readonly ZipEntry[] {
  const sorted = [...entries].sort((a, b) => a.at - b.at);
  const shared = new Set<ZipEntry>();
  let furthest: ZipEntry | undefined;
  for (const entry of sorted) {
    if (furthest !== undefined && entry.at < endOf(furthest)) shared.add(entry).add(furthest);
    if (furthest === undefined || endOf(entry) > endOf(furthest)) furthest = entry;
  }
  return shared.size === 0 ? entries : entries.map((entry) => (shared.has(entry) ? { ...entry, flaw: 'overlaps' } : entry));
}

/** At least; the entry's own header may be longer. */
const endOf = ({ at, packed }: ZipEntry): number => at + headerSize + packed;
