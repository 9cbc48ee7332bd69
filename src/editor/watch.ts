import * as vscode from 'vscode';
import { name } from './sources';

/** Told whenever this one file is written, also anew; what was never saved is not. */
export function watch(uri: vscode.Uri, changed: () => void): vscode.Disposable {
  if (uri.scheme === 'untitled') return new vscode.Disposable(() => undefined);
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name(uri).replace(/[[\]{}*?]/g, '[$&]')));
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  return watcher;
}
