import * as vscode from 'vscode';
import type { Documents } from './documents';
import { commands } from './ids';
import type { ScoreBook } from './scoreBook';
import type { EditorSettings } from './settings';

/** Where the user asked for it, a trajectory is scored when it is first in front; once, whatever came of it. */
export function registerScoreOnOpen(documents: Documents, book: ScoreBook, settings: () => EditorSettings): vscode.Disposable {
  const tried = new Set<string>();
  const consider = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const annotated = document && documents.annotated(document);
    if (!annotated || tried.has(document.uri.toString()) || !settings().scoreOnOpen || !vscode.workspace.isTrusted) return;
    tried.add(document.uri.toString());
    if ((book.get(annotated.rollout)?.freshness ?? 'saved') === 'saved' && annotated.trajectory.turns.length > 0) void vscode.commands.executeCommand(commands.rescoreTrajectory, document.uri);
  };
  // What was open before the extension was has been read already.
  consider();
  return vscode.Disposable.from(documents.onDidChange(consider), vscode.window.onDidChangeActiveTextEditor(consider));
}
