import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import { nodeByteSource } from '../scoring/fileSource';
import { openTrajectoryFile, type TrajectoryFile } from '../trajectory/file';
import type { ReadOptions } from '../trajectory/options';
import { readNative } from '../trajectory/read';
import type { ByteSource, RecordResult } from '../trajectory/records';
import type { Rollout } from './rollout';

type Closable = ByteSource & { close(): Promise<void> | void };

interface Opened {
  readonly stamp: string;
  readonly bytes: Closable;
  readonly file: TrajectoryFile;
}

/** The files that rollouts come from, opened once for each state on disk. What an editor holds unsaved goes before what is on disk. */
export class SourceFiles implements vscode.Disposable {
  private readonly opened = new LRUCache<string, Opened>({ max: 16, dispose: (o) => void o.bytes.close() });

  /** `options`: how a row's prompt is read backwards; it depends on the policy's contract. */
  constructor(private readonly options: () => Promise<ReadOptions>) {}

  /** Rejects where the file cannot be read; a file of another kind is no error. */
  async open(uri: vscode.Uri, signal?: AbortSignal): Promise<TrajectoryFile> {
    const { mtime, size } = await vscode.workspace.fs.stat(uri);
    const stamp = `${mtime}:${size}`;
    const known = this.opened.get(uri.toString());
    if (known?.stamp === stamp) return known.file;
    const bytes = uri.scheme === 'file' ? nodeByteSource(uri.fsPath) : await wholeFile(uri);
    const file = await openTrajectoryFile(bytes, uri.path, signal);
    this.opened.set(uri.toString(), { stamp, bytes, file });
    return file;
  }

  /** What is open already. */
  known(source: string): TrajectoryFile | undefined {
    return this.opened.peek(source)?.file;
  }

  /** A file that cannot be read is a problem, not an error. */
  async read(rollout: Rollout): Promise<RecordResult> {
    const uri = vscode.Uri.parse(rollout.source, true);
    const options = await this.options();
    const unsaved = openDocument(uri);
    if (unsaved?.isDirty && rollout.record === 0 && unsaved.fileName.endsWith('.traj')) return readNative(unsaved.getText(), options);
    const file = await this.open(uri).catch((e: unknown) => unreadable(uri, e));
    if (typeof file === 'string') return { kind: 'problem', message: file };
    if (file.kind.kind === 'foreign') return { kind: 'problem', message: file.kind.message };
    if (rollout.record >= file.records.length) return { kind: 'problem', message: `${name(uri)} has no record ${rollout.record}; it holds ${file.records.length}.` };
    return file.read(rollout.record, options);
  }

  dispose(): void {
    this.opened.clear();
  }
}

export const name = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);

const causes: Readonly<Record<string, string>> = {
  FileNotFound: 'it is not there',
  FileIsADirectory: 'it is a folder',
  NoPermissions: 'there is no permission to',
  Unavailable: 'its file system does not answer',
};

/** Why a file cannot be opened, in one sentence. */
export function unreadable(uri: vscode.Uri, e: unknown): string {
  const cause = e instanceof vscode.FileSystemError ? causes[e.code] : undefined;
  return `${name(uri)} cannot be read: ${cause ?? (e instanceof Error ? e.message : String(e))}.`;
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

/** File systems other than the disk give a file whole. */
async function wholeFile(uri: vscode.Uri): Promise<Closable> {
  const all = await vscode.workspace.fs.readFile(uri);
  return { size: async () => all.byteLength, read: async (start, end) => all.subarray(start, end), close: () => undefined };
}
