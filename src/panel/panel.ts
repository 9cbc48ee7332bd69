import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Request, Snapshot, ToPage } from './contract';
import { pageHtml } from './page';
import { isSame, nothingShown, snapshotOf, type Subject } from './snapshot';

export const panelType = 'turnlens.panel';

/** What the panel needs of the editor. */
export interface PanelEditor {
  /** What the active editor shows, or showed last. */
  subject(): Subject | undefined;
  /** The subject or its selection changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Moves the cursor to a turn, counted from 1. */
  select(turn: number): Promise<void>;
  rescore(): Promise<void>;
}

/** The panel beside the editor: one for the window, and it comes back after a reload. Its page is made anew whenever it is shown again. */
export class Panel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private shown: vscode.WebviewPanel | undefined;
  /** The last snapshot that was sent, and what it was made from. */
  sent: Snapshot | undefined;
  private last: Subject | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly editor: PanelEditor,
  ) {
    this.subscriptions = vscode.Disposable.from(
      editor.onDidChange(() => this.send()),
      vscode.window.registerWebviewPanelSerializer(panelType, this),
    );
  }

  open(): void {
    if (this.shown) return this.shown.reveal(undefined, true);
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.adopt(vscode.window.createWebviewPanel(panelType, 'Turnlens', beside));
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.shown) panel.dispose();
    else this.adopt(panel);
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.shown = panel;
    this.last = undefined;
    const { webview } = panel;
    const dist = vscode.Uri.joinPath(this.extension, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = vscode.Uri.joinPath(this.extension, 'media', 'icon.png');
    webview.onDidReceiveMessage((message: Request) => void this.answer(message));
    panel.onDidChangeViewState(() => this.send());
    panel.onDidDispose(() => (this.shown = undefined));
    const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    webview.html = pageHtml({ script: address('webview.js'), style: address('webview.css'), cspSource: webview.cspSource, nonce: randomBytes(16).toString('hex') });
  }

  /** A failure is told to the page as well: nothing it asks for stays without an answer. */
  private async answer(request: Request): Promise<void> {
    try {
      // Nothing is waited for between a snapshot and its way to the page: what is sent meanwhile would come before it, and be newer.
      const result = request.method === 'snapshot' ? this.snapshot() : await this.perform(request);
      this.post({ kind: 'answer', id: request.id, result });
    } catch (e) {
      this.post({ kind: 'failure', id: request.id, message: e instanceof Error ? e.message : String(e) });
    }
  }

  /** Moves the cursor to a turn, counted from 1, as a click on it does. */
  select(turn: number): Promise<void> {
    return this.editor.select(turn);
  }

  private async perform(request: Exclude<Request, { readonly method: 'snapshot' }>): Promise<null> {
    if (request.method === 'select') await this.select(request.params.turn);
    else await this.editor.rescore();
    return null;
  }

  private snapshot(): Snapshot {
    this.last = this.editor.subject();
    this.sent = this.last ? snapshotOf(this.last) : nothingShown;
    return this.sent;
  }

  /** Messages to a hidden page are lost; it asks again when it is shown. A cursor that moves within a turn changes nothing. */
  private send(): void {
    if (this.shown?.visible && !isSame(this.editor.subject(), this.last)) this.post({ kind: 'snapshot', snapshot: this.snapshot() });
  }

  private post(message: ToPage): void {
    void this.shown?.webview.postMessage(message);
  }

  /** The panel itself stays: a window that is reloaded closes its extensions first, and does not restore what closed with them. */
  dispose(): void {
    this.subscriptions.dispose();
  }
}
