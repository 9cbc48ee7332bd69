import * as vscode from 'vscode';
import { name } from './sources';

/** Told whenever this one file is written, also anew. */
export function watch(uri: vscode.Uri, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name(uri).replace(/[[\]{}*?]/g, '[$&]')));
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  return watcher;
}
