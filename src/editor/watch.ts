import * as vscode from 'vscode';
import { name } from './sources';

/** Milliseconds within which a file that is deleted to be written anew is back. */
const pause = 500;

/**
 * Told whenever this one file is written, also anew; what was never saved is not.
 * @param gone told a moment after it was deleted, or a folder that it is in was deleted or made, where the file is not written by then
 */
export function watch(uri: vscode.Uri, changed: () => void, gone: () => void = changed): vscode.Disposable {
  if (uri.scheme === 'untitled') return new vscode.Disposable(() => undefined);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const written = (): void => {
    clearTimeout(waiting);
    changed();
  };
  const deleted = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(gone, pause);
  };
  const file = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), literal(name(uri))));
  file.onDidChange(written);
  file.onDidCreate(written);
  file.onDidDelete(deleted);
  const folders = foldersOf(uri);
  for (const folder of folders) {
    folder.onDidCreate(deleted);
    folder.onDidDelete(deleted);
  }
  return vscode.Disposable.from(file, ...folders, new vscode.Disposable(() => clearTimeout(waiting)));
}

/** Those between a file and its workspace folder: where one is deleted, moved or put back, nothing is told of what is in it. */
function foldersOf(uri: vscode.Uri): readonly vscode.FileSystemWatcher[] {
  const root = vscode.workspace.getWorkspaceFolder(uri);
  if (!root) return [];
  const names = uri.path.slice(root.uri.path.replace(/\/$/, '').length + 1).split('/').slice(0, -1).map(literal);
  return names.map((_, i) => vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, names.slice(0, i + 1).join('/')), false, true));
}

/** As a part of a pattern. */
const literal = (name: string): string => name.replace(/[[\]{}*?]/g, '[$&]');
