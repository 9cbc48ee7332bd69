import * as vscode from 'vscode';
import type { Documents } from './documents';
import { transcriptScheme } from './ids';
import { planLenses, type PlannedLens } from './lensPlan';
import type { ScoreBook } from './scoreBook';
import type { EditorSettings } from './settings';
import type { SourceFiles } from './sources';

/** Answers from what is known, but for the place of an edited text, at once: one slow provider delays everybody's lenses. */
export class Lenses implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  /** What each document was last given. */
  private readonly given = new WeakMap<vscode.TextDocument, string>();

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
    private readonly sources: SourceFiles,
    private readonly settings: () => EditorSettings,
  ) {}

  /** Has the editor ask again, where that makes a difference: a lens that is drawn anew between press and release loses the click. */
  refresh(): void {
    const differs = ({ document }: vscode.TextEditor): boolean => JSON.stringify(this.plan(document)) !== (this.given.get(document) ?? '[]');
    if (vscode.window.visibleTextEditors.some(differs)) this.changed.fire();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    await this.documents.annotatedNow(document);
    const planned = this.plan(document);
    this.given.set(document, JSON.stringify(planned));
    return planned.map(({ at, title, command, turn, tooltip }) => {
      const position = document.positionAt(at);
      return new vscode.CodeLens(new vscode.Range(position, position), {
        title,
        command,
        arguments: turn === undefined ? [document.uri] : [document.uri, turn],
        ...(tooltip && { tooltip }),
      });
    });
  }

  private plan(document: vscode.TextDocument): PlannedLens[] {
    const annotated = this.documents.annotated(document);
    if (!annotated) return [];
    const shown = this.book.get(annotated.rollout);
    return planLenses({
      trajectory: annotated.trajectory,
      ...(annotated.anchors && { anchors: annotated.anchors }),
      ...(shown && { shown }),
      records: annotated.rollout.line === undefined ? (this.sources.known(annotated.rollout.source)?.records.length ?? 1) : 1,
      isTranscript: document.uri.scheme === transcriptScheme,
      showQuiet: this.settings().showQuietLenses,
    });
  }
}
