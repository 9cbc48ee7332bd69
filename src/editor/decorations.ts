import * as vscode from 'vscode';
import type { Documents } from './documents';
import { colors } from './ids';
import { planInline, tones, type Tone } from './inlinePlan';
import type { ScoreBook } from './scoreBook';

/** The figures of each turn at the end of its query's line, and a mark in the overview ruler for each spike. */
export class Decorations implements vscode.Disposable {
  private readonly types = new Map<Tone, vscode.TextEditorDecorationType>(tones.map((tone) => [tone, decorationType(tone)]));

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
  ) {}

  refresh(editors: readonly vscode.TextEditor[] = vscode.window.visibleTextEditors): void {
    for (const editor of editors) this.show(editor);
  }

  private show(editor: vscode.TextEditor): void {
    const { document } = editor;
    const annotated = this.documents.annotated(document);
    const shown = annotated && this.book.get(annotated.rollout);
    const planned = annotated?.anchors && shown ? planInline(shown, annotated.anchors) : [];
    for (const [tone, type] of this.types) {
      editor.setDecorations(
        type,
        planned
          .filter((p) => p.tone === tone)
          .map(({ at, text }) => {
            const { line } = document.positionAt(at);
            const end = document.lineAt(line).range.end;
            return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text } } };
          }),
      );
    }
  }

  dispose(): void {
    for (const type of this.types.values()) type.dispose();
  }
}

function decorationType(tone: Tone): vscode.TextEditorDecorationType {
  const color = new vscode.ThemeColor(colors[tone]);
  const isSpike = tone === 'up' || tone === 'down' || tone === 'mixed';
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { color, margin: '0 0 0 2em', fontStyle: 'normal' },
    ...(isSpike && { overviewRulerColor: color, overviewRulerLane: vscode.OverviewRulerLane.Right }),
  });
}
