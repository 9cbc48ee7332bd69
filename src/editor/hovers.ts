import * as vscode from 'vscode';
import type { Documents } from './documents';
import { hoverText } from './hoverText';
import type { ScoreBook } from './scoreBook';

/** The whole arithmetic of a turn on the line of its query, and that of the trajectory on its own line. Text of files is never trusted. */
export class Hovers implements vscode.HoverProvider {
  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
  ) {}

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const annotated = this.documents.annotated(document);
    const shown = annotated && this.book.get(annotated.rollout);
    if (!annotated?.anchors || !shown) return undefined;
    const { anchors, trajectory } = annotated;
    const isHere = (offset: number): boolean => document.positionAt(offset).line === position.line;
    const turn = anchors.turns.find((a) => isHere(a.query.start))?.turn;
    if (turn === undefined && !isHere(anchors.trajectory.start)) return undefined;
    const text = new vscode.MarkdownString(hoverText(trajectory, shown, turn));
    text.isTrusted = false;
    text.supportHtml = false;
    return new vscode.Hover(text, document.lineAt(position.line).range);
  }
}
