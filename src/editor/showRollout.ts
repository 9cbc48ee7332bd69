import * as vscode from 'vscode';
import { columnOf } from './columns';
import type { Documents } from './documents';
import { transcriptLanguage } from './ids';
import { rolloutKey, type Rollout } from './rollout';
import { openDocument, sizeOf, type SourceFiles } from './sources';
import { transcriptUri } from './transcripts';

/** What an extension is never given as a document, bytes: VS Code refuses it with an error of its own. */
export const largestDocument = 50 * 2 ** 20;

/** Brings a document to the front in which the rollout's turns stand on lines of their own: its source where that has them, else its transcript. */
export async function showRollout({ rollout }: { rollout: Rollout }, documents: Documents, sources: SourceFiles): Promise<void> {
  const uri = vscode.Uri.parse(rollout.source);
  const kind = sources.known(rollout.source)?.kind;
  const isNative = kind?.kind === 'trajectories' && kind.format === 'native' && (await sizeOf(uri)) <= largestDocument;
  const source = openDocument(uri) ?? (isNative ? await vscode.workspace.openTextDocument(uri) : undefined);
  const reading = source && (await documents.reading(source));
  const annotated = reading?.kind === 'trajectory' ? reading : undefined;
  if (source && annotated?.anchors && rolloutKey(annotated.rollout) === rolloutKey(rollout)) {
    if (vscode.window.activeTextEditor?.document === source || isActiveTranscript(rollout)) return;
    await vscode.window.showTextDocument(source, { viewColumn: columnOf(source) ?? vscode.ViewColumn.Active, preserveFocus: true });
  } else await openTranscript(rollout);
}

export async function openTranscript(rollout: Rollout): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(transcriptUri(rollout));
  if (document.languageId !== transcriptLanguage) await vscode.languages.setTextDocumentLanguage(document, transcriptLanguage);
  return vscode.window.showTextDocument(document, { viewColumn: columnOf(document) ?? vscode.ViewColumn.Active, preview: false });
}

/** Moves the cursor to an offset of the document and the document to the cursor. */
export function showAt(editor: vscode.TextEditor, offset: number): void {
  const at = editor.document.positionAt(offset);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
}

const isActiveTranscript = (rollout: Rollout): boolean => vscode.window.activeTextEditor?.document.uri.toString() === transcriptUri(rollout).toString();
