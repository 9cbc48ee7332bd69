import * as vscode from 'vscode';
import type { Annotated } from './annotated';
import type { Documents } from './documents';
import { commands } from './ids';
import type { ScoreBook } from './scoreBook';
import { neighbour } from './spikeOrder';
import { openDocument } from './sources';

/** Next and previous spike, and the hover of a turn from its lens. */
export function registerSpikeCommands(documents: Documents, book: ScoreBook): vscode.Disposable {
  const go = (direction: 1 | -1) => (): void => {
    const editor = vscode.window.activeTextEditor;
    const annotated = editor && documents.annotated(editor.document);
    if (!editor || !annotated) return;
    const lines = spikeLines(annotated, book);
    const line = neighbour(lines, editor.selection.active.line, direction);
    if (line !== undefined) reveal(editor, line);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.nextSpike, go(1)),
    vscode.commands.registerCommand(commands.previousSpike, go(-1)),
    vscode.commands.registerCommand(commands.explain, async (uri?: vscode.Uri, turn?: unknown) => {
      const document = uri ? openDocument(uri) : vscode.window.activeTextEditor?.document;
      const annotated = document && documents.annotated(document);
      if (!document || !annotated?.anchors) return;
      const editor = await vscode.window.showTextDocument(document);
      if (typeof turn === 'number') {
        const span = annotated.anchors.turns[turn - 1]?.query ?? annotated.anchors.trajectory;
        reveal(editor, document.positionAt(span.start).line);
      }
      await vscode.commands.executeCommand('editor.action.showHover');
    }),
  );
}

/** Lines of the queries of the turns that stand out, in order. */
export function spikeLines({ document, anchors, rollout }: Annotated, book: ScoreBook): number[] {
  const turns = book.get(rollout)?.scores.turns.filter((t) => t.spike) ?? [];
  return turns.flatMap(({ index }) => {
    const anchor = anchors?.turns[index - 1];
    return anchor ? [document.positionAt(anchor.query.start).line] : [];
  });
}

function reveal(editor: vscode.TextEditor, line: number): void {
  const position = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
