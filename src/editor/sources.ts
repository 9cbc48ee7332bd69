import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import { nodeByteSource, type OpenSource } from '../scoring/fileSource';
import type { Dialect } from '../trajectory/dialect';
import type { TrajectoryFile } from '../trajectory/file';
import type { ReadOptions } from '../trajectory/options';
import { findLine } from '../trajectory/lineNames';
import { readNative } from '../trajectory/read';
import { problemAt, type RecordResult } from '../trajectory/records';
import { nativeName } from './ids';
import { OpenFile, type FoundListener, type Stamp } from './openFile';
import type { Rollout } from './rollout';

/** The files that rollouts come from, opened once for each state on disk. What an editor holds unsaved goes before what is on disk. */
export class SourceFiles implements vscode.Disposable {
  private readonly opened = new LRUCache<string, OpenFile>({ max: 16, dispose: (file) => file.letGo() });
  /** That records are read otherwise. */
  private times = 0;

  /**
   * @param options how records are read; whoever changes that calls {@link reread}
   * @param dialects the user's own, by which files are told; whoever changes them calls {@link forget}
   */
  constructor(
    readonly options: () => Promise<ReadOptions>,
    private readonly dialects: () => readonly Dialect[],
  ) {}

  /** Opens every file anew when it is asked for next. */
  forget(): void {
    this.reread();
    this.opened.clear();
  }

  /** No record that was read before is like one that is read from now on. */
  reread(): void {
    this.times++;
  }

  /**
   * Rejects where the file cannot be read; a file of another kind is no error.
   * @param found told of the records found so far while the file is still being searched for them; the search waits for it
   * @param until the file stays open for as long as this takes
   */
  async open(uri: vscode.Uri, found?: FoundListener, until?: Promise<unknown>): Promise<TrajectoryFile> {
    const file = await this.current(uri);
    if (until) file.use(until);
    return file.read(found).catch((e: unknown) => {
      if (this.opened.peek(uri.toString()) === file) this.opened.delete(uri.toString());
      throw e;
    });
  }

  /** What is open already, as far as its records are found. */
  known(source: string): TrajectoryFile | undefined {
    return this.opened.peek(source)?.soFar;
  }

  /** The file as it is on disk now; one that only grew stays open. */
  private async current(uri: vscode.Uri): Promise<OpenFile> {
    const before = this.opened.peek(uri.toString())?.stamp;
    const stamp = await stampOf(uri).catch((e: unknown) => {
      // Held open, a deleted file keeps its room on disk.
      this.opened.delete(uri.toString());
      throw e;
    });
    const known = this.opened.get(uri.toString());
    // What another caller has seen meanwhile may be newer.
    if (known?.stamp !== before) return this.current(uri);
    // What was on disk does not grow into what was typed, nor back.
    const isSame = isUnsaved(stamp) || (known && isUnsaved(known.stamp)) ? known?.stamp.text === stamp.text : await known?.follow(stamp);
    // Another caller may have opened it anew meanwhile, or enough others that it was let go.
    if (this.opened.peek(uri.toString()) !== known) return this.current(uri);
    if (known && isSame) return known;
    const file = new OpenFile(uri.path, () => bytesOf(uri), stamp, this.dialects());
    this.opened.set(uri.toString(), file);
    return file;
  }

  /** What changes whenever {@link read} may give another result. */
  async stamp(source: string): Promise<string> {
    return stampOf(vscode.Uri.parse(source, true)).then(
      ({ text }) => `${this.times}:${text}`,
      () => 'unreadable',
    );
  }

  /** A file that cannot be read is a problem, not an error; each names the file. */
  async read(rollout: Rollout): Promise<RecordResult> {
    const read = await this.readRecord(rollout);
    if (rollout.line === undefined || read.kind === 'problem') return read;
    const line = findLine(read.trajectory, rollout.line);
    const where = `${name(vscode.Uri.parse(rollout.source))}, record ${rollout.record}`;
    return typeof line === 'string' ? problemAt(where, { kind: 'problem', message: line }) : { kind: 'trajectory', trajectory: line.trajectory };
  }

  private async readRecord(rollout: Rollout): Promise<RecordResult> {
    const uri = vscode.Uri.parse(rollout.source, true);
    const options = await this.options();
    const unsaved = unsavedDocument(uri);
    if (unsaved && rollout.record === 0 && nativeName.test(unsaved.fileName)) return readNative(unsaved.getText(), options);
    return whileUsed(async (until) => {
      const file = await this.holding(rollout, until);
      if (typeof file === 'string') return { kind: 'problem', message: file };
      return file.read(rollout.record, options).then(
        (read) => (read.kind === 'problem' ? problemAt(name(uri), read) : read),
        (e: unknown): RecordResult => ({ kind: 'problem', message: unreadable(uri, e) }),
      );
    });
  }

  /** A record as it stands in its file, at most so many bytes of it, and how many are left. Where it cannot be read, the text is the sentence that says so. */
  async raw(rollout: Rollout, most: number): Promise<{ readonly text: string; readonly left: number }> {
    const uri = vscode.Uri.parse(rollout.source, true);
    return whileUsed(async (until) => {
      const file = await this.holding(rollout, until);
      if (typeof file === 'string') return { text: `${file}\n`, left: 0 };
      const { start, end } = file.records[rollout.record] ?? { start: 0, end: 0 };
      return file.raw(rollout.record, most).then(
        (text) => ({ text, left: Math.max(0, end - start - most) }),
        (e: unknown) => ({ text: `${unreadable(uri, e)}\n`, left: 0 }),
      );
    });
  }

  /** The file, where it holds this record; a text: why not. */
  private async holding(rollout: Rollout, until: Promise<unknown>): Promise<TrajectoryFile | string> {
    const uri = vscode.Uri.parse(rollout.source, true);
    const file = this.early(rollout, until) ?? (await this.open(uri, undefined, until).catch((e: unknown) => unreadable(uri, e)));
    if (typeof file === 'string') return file;
    if (file.kind.kind === 'foreign') return file.kind.message;
    return rollout.record < file.records.length ? file : `${name(uri)} has no record ${rollout.record}; it holds ${file.records.length}.`;
  }

  /** The file while it is still searched, where this record is found already. */
  private early({ source, record }: Rollout, until: Promise<unknown>): TrajectoryFile | undefined {
    const opened = this.opened.peek(source);
    if (!opened?.searching || record >= (opened.soFar?.records.length ?? 0)) return undefined;
    opened.use(until);
    return opened.soFar;
  }

  dispose(): void {
    this.opened.clear();
  }
}

/** @param action keeps the files open that it opens with `until` */
export async function whileUsed<T>(action: (until: Promise<void>) => Promise<T>): Promise<T> {
  let done: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (done = resolve));
  try {
    return await action(until);
  } finally {
    done();
  }
}

/** Whose text is not what is on disk: it goes before that. */
export function unsavedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const document = openDocument(uri);
  return document && (document.isDirty || document.isUntitled) ? document : undefined;
}

const unsavedMark = 'unsaved:';

const isUnsaved = ({ text }: Stamp): boolean => text.startsWith(unsavedMark);

async function stampOf(uri: vscode.Uri): Promise<Stamp> {
  const unsaved = unsavedDocument(uri);
  if (unsaved) return { text: `${unsavedMark}${unsaved.version}`, size: 0 };
  const { mtime, size } = await vscode.workspace.fs.stat(uri);
  return { text: `${mtime}:${size}`, size };
}

/** File systems other than the disk give a file whole, as it is at that moment, and so does an editor. */
async function bytesOf(uri: vscode.Uri): Promise<OpenSource> {
  const unsaved = unsavedDocument(uri);
  if (!unsaved && uri.scheme === 'file') return nodeByteSource(uri.fsPath);
  const all = unsaved ? Buffer.from(unsaved.getText()) : await vscode.workspace.fs.readFile(uri);
  return { size: async () => all.byteLength, read: async (start, end) => all.subarray(start, end), isNamed: async () => false, close: async () => undefined };
}

export const name = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);

/** By its name; no editor shows its text. */
export const isPacked = (uri: vscode.Uri): boolean => /\.(gz|zip|eval)$/i.test(uri.path);

/** By the codes of VS Code's file systems and of Node's. */
const causes: ReadonlyMap<unknown, string> = new Map([
  ...['FileNotFound', 'ENOENT'].map((code) => [code, 'it is not there'] as const),
  ...['FileIsADirectory', 'EISDIR'].map((code) => [code, 'it is a folder'] as const),
  ...['NoPermissions', 'EACCES', 'EPERM'].map((code) => [code, 'there is no permission to'] as const),
  ...['EBUSY', 'ETXTBSY'].map((code) => [code, 'another program holds it'] as const),
  ...['Unavailable', 'EIO', 'ESTALE', 'ETIMEDOUT'].map((code) => [code, 'its file system does not answer'] as const),
]);

/** Why a file cannot be opened, in one sentence. */
export function unreadable(uri: vscode.Uri, e: unknown): string {
  const [message = ''] = (e instanceof Error ? e.message : String(e)).split('\n');
  const cause = e instanceof Error && 'code' in e ? causes.get(e.code) : undefined;
  return `${name(uri)} cannot be read: ${cause ?? message.replace(/\.$/, '')}.`;
}

export const openDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());

/** Bytes; 0 where it cannot be told. */
export async function sizeOf(uri: vscode.Uri): Promise<number> {
  return vscode.workspace.fs.stat(uri).then(
    ({ size }) => size,
    () => 0,
  );
}
