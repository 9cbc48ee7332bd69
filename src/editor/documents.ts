import * as vscode from 'vscode';
import { anchorsOfSource, sourcePlacer } from '../trajectory/anchors';
import { detectFile, headSize } from '../trajectory/detect';
import type { Dialect } from '../trajectory/dialect';
import type { Trajectory } from '../trajectory/model';
import type { ReadOptions } from '../trajectory/options';
import { readNative } from '../trajectory/read';
import type { Problem } from '../trajectory/records';
import type { Annotated } from './annotated';
import { debounced } from './debounce';
import { nativeName, transcriptScheme } from './ids';
import { rolloutKey, type Rollout } from './rollout';
import type { Transcripts } from './transcripts';

/** What a document is to us. Content decides, not the extension. */
export type Reading =
  | ({ readonly kind: 'trajectory' } & Annotated)
  /** Ours, and not readable: the sentence belongs to the Problems view. */
  | { readonly kind: 'problem'; readonly document: vscode.TextDocument; readonly problem: Problem }
  /** Text that is no JSON at all under the name `.traj`. */
  | { readonly kind: 'not json'; readonly document: vscode.TextDocument; readonly message: string };

/** The open documents that show a trajectory, read again a moment after each change. Scores nothing. */
export class Documents implements vscode.Disposable {
  private readonly readings = new Map<string, Reading>();
  private readonly pending = new Map<string, Promise<Reading | undefined>>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** A document was read, changed or closed. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: vscode.Disposable[] = [this.changed];

  constructor(
    private readonly transcripts: Transcripts,
    private readonly options: () => Promise<ReadOptions>,
    /** The user's own. */
    readonly dialects: () => readonly Dialect[],
  ) {
    const edited = debounced(250, (uri) => {
      const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
      if (document) void this.read(document);
    });
    this.disposables.push(
      edited,
      vscode.workspace.onDidOpenTextDocument((d) => void this.read(d)),
      vscode.workspace.onDidChangeTextDocument((e) => {
        if (e.contentChanges.length > 0 && concerns(e.document)) edited(e.document.uri.toString());
      }),
      vscode.workspace.onDidCloseTextDocument((d) => this.forget(d)),
    );
    this.readAll();
  }

  get(uri: vscode.Uri): Reading | undefined {
    return this.readings.get(uri.toString());
  }

  /** The trajectory that a document shows. */
  annotated(document: vscode.TextDocument): Annotated | undefined {
    const reading = this.get(document.uri);
    return reading?.kind === 'trajectory' ? reading : undefined;
  }

  /** The same of the text as it is now: where what is known is of an earlier one, it is read at once. */
  async annotatedNow(document: vscode.TextDocument): Promise<Annotated | undefined> {
    const known = this.annotated(document);
    if (!known || known.version === document.version) return known;
    await this.read(document);
    return this.annotated(document);
  }

  /** Of the rollout, as some open document shows it. */
  latest(rollout: Rollout): Trajectory | undefined {
    return this.all().find((a) => rolloutKey(a.rollout) === rolloutKey(rollout))?.trajectory;
  }

  all(): Annotated[] {
    return [...this.readings.values()].filter((r) => r.kind === 'trajectory');
  }

  /** Anew: something changed that every reading depends on. */
  readAll(): void {
    for (const document of vscode.workspace.textDocuments) void this.read(document);
  }

  /** What is known of a document; where nothing is, what the reading under way gives, or a new one. */
  async reading(document: vscode.TextDocument): Promise<Reading | undefined> {
    return this.get(document.uri) ?? this.pending.get(document.uri.toString()) ?? this.read(document);
  }

  /** Reads a document now, whatever was known of it. */
  async read(document: vscode.TextDocument): Promise<Reading | undefined> {
    const key = document.uri.toString();
    const reading = this.readNow(document);
    this.pending.set(key, reading);
    try {
      return await reading;
    } finally {
      if (this.pending.get(key) === reading) this.pending.delete(key);
    }
  }

  private async readNow(document: vscode.TextDocument): Promise<Reading | undefined> {
    if (!concerns(document)) return undefined;
    const reading = document.uri.scheme === transcriptScheme ? await this.readTranscript(document) : this.readSource(document, await this.options());
    if (document.isClosed) return undefined;
    const had = this.readings.has(document.uri.toString());
    if (reading) this.readings.set(document.uri.toString(), reading);
    else this.readings.delete(document.uri.toString());
    if (reading || had) this.changed.fire(document.uri);
    return reading;
  }

  private async readTranscript(document: vscode.TextDocument): Promise<Reading | undefined> {
    const rendered = await this.transcripts.rendered(document.uri);
    if (!rendered) return undefined;
    if (rendered.text !== document.getText()) return this.untilChanged(document);
    return { kind: 'trajectory', document, version: document.version, ...rendered };
  }

  /** The editor has not taken over the new text yet: what was read of the old one stays. */
  private untilChanged(document: vscode.TextDocument): Reading | undefined {
    const known = this.get(document.uri);
    return known?.kind === 'trajectory' && known.version === document.version ? known : undefined;
  }

  private readSource(document: vscode.TextDocument, options: ReadOptions): Reading | undefined {
    const text = document.getText();
    const kind = detectFile(Buffer.from(text.slice(0, headSize)), document.fileName, this.dialects());
    if (kind.kind === 'foreign') {
      return document.languageId === 'jsonc' && !/^\s*[[{/]/.test(text) && text.trim() !== '' ? { kind: 'not json', document, message: kind.message } : undefined;
    }
    if (kind.format !== 'native') return undefined;
    const result = readNative(text, options);
    if (result.kind === 'problem') return { kind: 'problem', document, problem: result };
    const anchors = result.source && anchorsOfSource(result.source, result.trajectory);
    const place = result.source ? sourcePlacer(result.source, result.trajectory) : () => undefined;
    const rollout = { source: document.uri.toString(), record: 0 };
    return { kind: 'trajectory', document, version: document.version, rollout, trajectory: result.trajectory, place, ...(anchors && { anchors }) };
  }

  private forget(document: vscode.TextDocument): void {
    if (this.readings.delete(document.uri.toString())) this.changed.fire(document.uri);
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

/** A JSONL is no trajectory but a list of them; see recordLenses.ts. */
function concerns(document: vscode.TextDocument): boolean {
  return document.uri.scheme === transcriptScheme || nativeName.test(document.fileName) || (document.languageId === 'json' && /\.json$/i.test(document.fileName));
}
