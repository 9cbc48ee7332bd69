import * as vscode from 'vscode';
import { openDocument } from './sources';

/** An unsaved document of this name with this text; saving asks where. */
export async function openUntitled(name: string, text: string): Promise<vscode.TextEditor> {
  const uri = freeName(name);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return vscode.window.showTextDocument(document, { preview: false });
}

function freeName(name: string): vscode.Uri {
  for (let n = 1; ; n++) {
    const uri = vscode.Uri.from({ scheme: 'untitled', path: n === 1 ? name : name.replace(/(\.\w+)?$/, `-${n}$1`) });
    if (!openDocument(uri)) return uri;
  }
}
