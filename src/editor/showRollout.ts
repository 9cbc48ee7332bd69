import * as vscode from 'vscode';
import type { Documents } from './documents';
import { transcriptLanguage } from './ids';
import type { Rollout } from './rollout';
import { openDocument } from './sources';
import { transcriptUri } from './transcripts';

/** Brings a document to the front in which the rollout's turns stand on lines of their own: its source where that has them, else its transcript. */
export async function showRollout({ rollout }: { rollout: Rollout }, documents: Documents): Promise<void> {
  const source = openDocument(vscode.Uri.parse(rollout.source));
  const annotated = source && documents.annotated(source);
  if (source && annotated?.anchors && annotated.rollout.record === rollout.record) {
    if (vscode.window.activeTextEditor?.document === source || isActiveTranscript(rollout)) return;
    await vscode.window.showTextDocument(source, { preserveFocus: true });
  } else await openTranscript(rollout);
}

export async function openTranscript(rollout: Rollout): Promise<void> {
  const document = await vscode.workspace.openTextDocument(transcriptUri(rollout));
  if (document.languageId !== transcriptLanguage) await vscode.languages.setTextDocumentLanguage(document, transcriptLanguage);
  await vscode.window.showTextDocument(document, { preview: false });
}

const isActiveTranscript = (rollout: Rollout): boolean => vscode.window.activeTextEditor?.document.uri.toString() === transcriptUri(rollout).toString();
