import * as vscode from 'vscode';
import { gathered } from './debounce';
import { shownRollout } from './rollout';
import { watch } from './watch';

/** Tells when documents of ours may say something else: their file was written, deleted or typed into. The editor asks for their text again then. */
export class Followed implements vscode.Disposable {
  /** Of the documents that are open, by their address: their file, and what watches it. */
  private readonly watched = new Map<string, { readonly uri: vscode.Uri; readonly source: string; readonly watcher: vscode.Disposable }>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  /** @param scheme of the documents */
  constructor(private readonly scheme: string) {
    const edited = gathered(300, (source) => this.tell(source));
    const follow = ({ uri }: vscode.TextDocument): void => {
      const source = uri.scheme === this.scheme ? shownRollout(uri)?.source : undefined;
      if (source === undefined) return;
      this.forget(uri);
      this.watched.set(uri.toString(), { uri, source, watcher: watch(vscode.Uri.parse(source), () => edited(source)) });
    };
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      edited,
      vscode.workspace.onDidOpenTextDocument(follow),
      vscode.workspace.onDidChangeTextDocument(({ document }) => edited(document.uri.toString())),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.forget(uri);
        // Its changes may be given up.
        edited(uri.toString());
      }),
    );
    vscode.workspace.textDocuments.forEach(follow);
  }

  /** @param source of one file; without it, of all: records are read otherwise now */
  tell(source?: string): void {
    for (const each of [...this.watched.values()]) if (source === undefined || each.source === source) this.changed.fire(each.uri);
  }

  private forget(uri: vscode.Uri): void {
    this.watched.get(uri.toString())?.watcher.dispose();
    this.watched.delete(uri.toString());
  }

  dispose(): void {
    for (const { watcher } of this.watched.values()) watcher.dispose();
    this.subscriptions.dispose();
  }
}
