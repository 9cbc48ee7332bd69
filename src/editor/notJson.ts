import * as vscode from 'vscode';
import type { Documents } from './documents';

/** A `.traj` of another kind that is text: shown as plain text, for as JSON it would be red from end to end. Said once for each file. */
export function registerNotJson(documents: Documents): vscode.Disposable {
  const said = new Set<string>();
  return documents.onDidChange((uri) => {
    const reading = documents.get(uri);
    if (reading?.kind !== 'not json' || said.has(uri.toString())) return;
    said.add(uri.toString());
    void vscode.languages.setTextDocumentLanguage(reading.document, 'plaintext');
    void vscode.window.showInformationMessage(reading.message);
  });
}
