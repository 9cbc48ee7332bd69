import { decode } from '../decode';
import { InflateError } from '../inflate';
import type { Unpackers } from '../inflate';
import type { ByteSource } from '../records';
import { readEntry } from './entry';
import type { ZipEntry } from './entry';

/**
 * One sample of an Inspect log (.eval): one entry, or since version 3 of the log a folder of them, its sequences in chunks that are named by the index of
 * their first item (inspect_ai/log/_recorders/chunked/format.py).
 */
export interface InspectSample {
  readonly entry: ZipEntry;
  readonly chunks?: Readonly<Record<Sequence, readonly ZipEntry[]>>;
}

type Sequence = 'messages' | 'attachments' | 'events';
const sequences: readonly Sequence[] = ['messages', 'attachments', 'events'];

const single = /^samples\/.+_epoch_\d+\.json$/;
const shell = /^(samples\/.+_epoch_\d+\/)sample\.json$/;
const chunk = /^(samples\/.+_epoch_\d+\/)(messages|attachments|events)\/(\d+)\.json$/;
const headers = ['header.json', '_journal/start.json', 'start.json'];

/** The samples of a log, in its order; `undefined`: the archive is none. */
export function inspectSamples(entries: readonly ZipEntry[]): readonly InspectSample[] | undefined {
  const names = new Set(entries.map(({ name }) => name));
  const samples = entries.filter(({ name }) => single.test(name) || shell.test(name));
  if (samples.length === 0 && !headers.some((name) => names.has(name))) return undefined;
  const chunks = chunksByFolder(entries);
  return samples.map((entry) => {
    const folder = shell.exec(entry.name)?.[1];
    const own = folder === undefined ? undefined : chunks.get(folder);
    return own === undefined ? { entry } : { entry, chunks: own };
  });
}

function chunksByFolder(entries: readonly ZipEntry[]): ReadonlyMap<string, Record<Sequence, ZipEntry[]>> {
  const folders = new Map<string, Record<Sequence, ZipEntry[]>>();
  const numbered = entries.flatMap((entry) => {
    const [, folder, sequence, start] = chunk.exec(entry.name) ?? [];
    return folder === undefined ? [] : [{ entry, folder, sequence: sequences.find((each) => each === sequence) ?? 'events', start: Number(start) }];
  });
  for (const { entry, folder, sequence } of numbered.sort((a, b) => a.start - b.start)) {
    const own = folders.get(folder) ?? { messages: [], attachments: [], events: [] };
    own[sequence].push(entry);
    folders.set(folder, own);
  }
  return folders;
}

export interface SampleText {
  readonly text: string;
  /** Every checksum is right. */
  readonly sound: boolean;
}

/** Keys under which a sample's chunks are put, as lists of lists. */
const chunkKeys: Readonly<Record<Sequence, string>> = { messages: 'message_chunks', attachments: 'attachment_chunks', events: 'event_chunks' };

/**
 * A sample as one text of JSON. Rejects with InflateError, and where the source does.
 * @param most bytes of all its entries together; events, of which only sub-agents are read, are left out where they would not fit
 */
export async function readSample(source: ByteSource, { entry, chunks }: InspectSample, unpackers: Unpackers, most: number): Promise<SampleText> {
  let left = most;
  let sound = true;
  const text = async (one: ZipEntry): Promise<string> => {
    const read = await readEntry(source, one, unpackers, left);
    left -= read.bytes.length;
    sound &&= read.sound;
    return decode(read.bytes, 'utf-8').text;
  };
  const whole = (await text(entry)).trimEnd();
  if (chunks === undefined) return { text: whole, sound };
  if (!whole.endsWith('}')) throw new InflateError('is no JSON object');
  const parts: string[] = [];
  for (const sequence of sequences) {
    const size = chunks[sequence].reduce((sum, one) => sum + (one.size ?? one.packed), 0);
    if (sequence === 'events' && size > left) continue;
    const texts: string[] = [];
    for (const one of chunks[sequence]) texts.push(await text(one));
    parts.push(`,${JSON.stringify(chunkKeys[sequence])}:[${texts.join(',')}]`);
  }
  return { text: `${whole.slice(0, -1)}${parts.join('')}}`, sound };
}
