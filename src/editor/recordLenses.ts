import * as vscode from 'vscode';
import type { Dialect } from '../trajectory/dialect';
import { commands } from './ids';
import { holdsRecords } from './recordList';

/** A file of rollouts has a lens on each of its first lines; further ones are reached through the palette's list. */
const most = 1000;

/** Lenses on the lines of a JSONL file. They come from the lines alone: no record is parsed. */
export class RecordLenses implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;

  /** @param dialects the user's own; whoever changes them calls {@link refresh} */
  constructor(private readonly dialects: () => readonly Dialect[]) {}

  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!holdsRecords(document, this.dialects())) return [];
    const lenses: vscode.CodeLens[] = [];
    for (let line = 0, record = 0; line < document.lineCount && record < most; line++) {
      if (document.lineAt(line).isEmptyOrWhitespace) continue;
      const range = new vscode.Range(line, 0, line, 0);
      lenses.push(
        new vscode.CodeLens(range, { title: `Record ${record}: open transcript`, command: commands.openTranscript, arguments: [document.uri, record] }),
        new vscode.CodeLens(range, { title: 'Re-score', command: commands.rescoreTrajectory, arguments: [document.uri, record] }),
      );
      record++;
    }
    return lenses;
  }
}
