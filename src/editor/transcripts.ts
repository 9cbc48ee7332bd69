import * as vscode from 'vscode';
import { renderTranscript, type Transcript } from '../trajectory/transcript';
import type { Trajectory } from '../trajectory/model';
import { debounced } from './debounce';
import { transcriptScheme } from './ids';
import { rolloutKey, rolloutOf, transcriptAddress, type Rollout } from './rollout';
import { openDocument, type SourceFiles } from './sources';
import { watch } from './watch';

export interface RenderedRollout extends Transcript {
  readonly rollout: Rollout;
  readonly trajectory: Trajectory;
}

interface Page {
  /** Absent: the record could not be read, and `text` says why. */
  readonly rendered?: RenderedRollout;
  readonly text: string;
  readonly mtime: number;
}

/** A page, and the state of its source that it was read from. */
interface Kept {
  readonly rollout: Rollout;
  readonly stamp: string;
  readonly page: Promise<Page>;
}

export function transcriptUri(rollout: Rollout): vscode.Uri {
  return vscode.Uri.from({ scheme: transcriptScheme, ...transcriptAddress(rollout, vscode.Uri.parse(rollout.source).path) });
}

/** A read-only file system, and not a content provider: only then does a transcript's tab come back after a reload, and activates us. */
export class Transcripts implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly pages = new Map<string, Kept>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly disposables: vscode.Disposable[] = [this.changed];

  constructor(private readonly sources: SourceFiles) {
    const edited = debounced(300, (source: string) => this.refresh(source));
    this.disposables.push(
      edited,
      vscode.workspace.registerFileSystemProvider(transcriptScheme, this, { isReadonly: true, isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument((e) => edited(e.document.uri.toString())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.forget(uri);
        // Its changes may be given up.
        edited(uri.toString());
      }),
    );
  }

  /** The trajectory behind a transcript; `undefined` where it could not be read. */
  async rendered(uri: vscode.Uri): Promise<RenderedRollout | undefined> {
    return (await this.page(uri)).rendered;
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const rollout = rolloutOf(uri.query);
    if (!rollout) return new vscode.Disposable(() => undefined);
    return watch(vscode.Uri.parse(rollout.source), () => void this.refresh(rollout.source));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.page(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.page(uri)).text);
  }

  /** As the source is now: an editor asks again when it opens a transcript or is told of a change. */
  private async page(uri: vscode.Uri): Promise<Page> {
    const rollout = rolloutOf(uri.query);
    if (!rollout) throw vscode.FileSystemError.FileNotFound(uri);
    const key = rolloutKey(rollout);
    const stamp = await this.sources.stamp(rollout.source);
    const known = this.pages.get(key);
    if (known?.stamp === stamp) return known.page;
    const page = this.render(rollout);
    this.pages.set(key, { rollout, stamp, page });
    if (known && (await known.page).text !== (await page).text) this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: transcriptUri(rollout) }]);
    return page;
  }

  private forget(uri: vscode.Uri): void {
    const rollout = uri.scheme === transcriptScheme ? rolloutOf(uri.query) : undefined;
    if (rollout) this.pages.delete(rolloutKey(rollout));
  }

  private async render(rollout: Rollout): Promise<Page> {
    const mtime = Date.now();
    const result = await this.sources.read(rollout);
    if (result.kind === 'problem') return { text: `${result.message}\n`, mtime };
    const rendered = { ...renderTranscript(result.trajectory, (await this.sources.options()).dialects, rollout.line), rollout, trajectory: result.trajectory };
    return { text: rendered.text, mtime, rendered };
  }

  /** Renders again what is open of this file, and tells the editor where the text differs. */
  private async refresh(source: string): Promise<void> {
    for (const [key, { rollout }] of [...this.pages]) {
      if (rollout.source !== source) continue;
      const uri = transcriptUri(rollout);
      if (openDocument(uri)) await this.page(uri);
      else this.pages.delete(key);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }
  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
