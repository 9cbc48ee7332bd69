import * as vscode from 'vscode';
import { say } from './activeTab';
import type { Annotated } from './annotated';
import { columnOf } from './columns';
import type { Commands } from './commands';
import type { Documents } from './documents';
import { commands } from './ids';
import type { ScoreBook } from './scoreBook';
import { neighbour } from './spikeOrder';
import { openDocument } from './sources';

type Anchored = Annotated & Required<Pick<Annotated, 'anchors'>>;

/** Next and previous spike, and the hover of a turn from its lens. */
export function registerSpikeCommands(register: Commands, documents: Documents, book: ScoreBook): vscode.Disposable {
  const go = (direction: 1 | -1) => (): void => {
    const editor = vscode.window.activeTextEditor;
    const annotated = scored(editor?.document);
    if (!editor || !annotated) return;
    const line = neighbour(spikeLines(annotated, book), editor.selection.active.line, direction);
    if (line === undefined) return say('No turn of this trajectory stands out.');
    reveal(editor, line);
  };
  /** Says itself why there is none. */
  const scored = (document: vscode.TextDocument | undefined): Anchored | undefined => {
    const annotated = document && documents.annotated(document);
    if (!annotated) return say('The active editor shows no trajectory; open one, or the transcript of a record.');
    const { anchors } = annotated;
    if (!anchors) return say('The turns of this file share their lines; open its transcript to see them one by one.');
    return book.get(annotated.rollout) ? { ...annotated, anchors } : say('This trajectory is not scored yet; re-score it first.');
  };
  return vscode.Disposable.from(
    register.add(commands.nextSpike, go(1)),
    register.add(commands.previousSpike, go(-1)),
    register.add(commands.explain, async (uri, turn) => {
      const document = uri ? openDocument(uri) : vscode.window.activeTextEditor?.document;
      const annotated = scored(document);
      if (!document || !annotated) return;
      const { anchors } = annotated;
      const editor = await vscode.window.showTextDocument(document, { viewColumn: columnOf(document) ?? vscode.ViewColumn.Active });
      if (typeof turn === 'number') reveal(editor, document.positionAt((anchors.turns[turn - 1]?.query ?? anchors.trajectory).start).line);
      else if (!hasHover(annotated, editor.selection.active.line)) reveal(editor, turnLineBefore(annotated, editor.selection.active.line));
      await vscode.commands.executeCommand('editor.action.showHover');
    }),
  );
}

/** Lines of the queries of the turns that stand out, in order. */
export function spikeLines({ document, anchors, rollout }: Anchored, book: ScoreBook): number[] {
  const turns = book.get(rollout)?.scores.turns.filter((t) => t.spike) ?? [];
  return turns.flatMap(({ index }) => {
    const anchor = anchors.turns[index - 1];
    return anchor ? [document.positionAt(anchor.query.start).line] : [];
  });
}

const hoverLines = ({ document, anchors }: Anchored): number[] => [anchors.trajectory, ...anchors.turns.map((t) => t.query)].map((span) => document.positionAt(span.start).line);

const hasHover = (annotated: Anchored, line: number): boolean => hoverLines(annotated).includes(line);

/** The query line of the turn that holds a line; before the first turn, the trajectory's own. */
function turnLineBefore(annotated: Anchored, line: number): number {
  const { document, anchors } = annotated;
  const holding = anchors.turns.findLast((t) => document.positionAt(t.whole.start).line <= line);
  return document.positionAt((holding?.query ?? anchors.trajectory).start).line;
}

function reveal(editor: vscode.TextEditor, line: number): void {
  const position = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
