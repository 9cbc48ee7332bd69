import * as vscode from 'vscode';
import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';
import type { Annotated } from './annotated';
import { policyLabel } from './bundled';
import { columnOf, columnOfEditors } from './columns';
import type { Documents } from './documents';
import { commands } from './ids';
import { recordWords } from './rollout';
import type { ScoreBook } from './scoreBook';
import { name } from './sources';

/** A trajectory, with its scores where it has them, and the turn under the cursor (counted from 1). */
export interface InFront {
  /** URI of the document that shows it. */
  readonly document: string;
  /** For people. */
  readonly title: string;
  readonly trajectory: Trajectory;
  readonly scores?: TrajectoryScores;
  /** That gave the scores, for people. */
  readonly policy?: string;
  readonly stale: boolean;
  readonly selected?: number;
}

/** What the panel sees of the editor: the trajectory in front, the turn under its cursor, and a way to move there. */
export class PanelEditor implements vscode.Disposable {
  private last: Annotated | undefined;
  /** The editor that was in front last, of those that show it. */
  private lastEditor: vscode.TextEditor | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
  ) {
    const tell = (): void => this.changed.fire();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      documents.onDidChange(tell),
      book.onDidChange(tell),
      vscode.window.onDidChangeActiveTextEditor(tell),
      vscode.window.onDidChangeVisibleTextEditors(tell),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (documents.annotated(textEditor.document)) tell();
      }),
    );
  }

  subject(): InFront | undefined {
    const annotated = this.current();
    if (!annotated) return undefined;
    const shown = this.book.get(annotated.rollout);
    const selected = this.selectedTurn(annotated);
    const { trajectory, rollout } = annotated;
    return {
      document: annotated.document.uri.toString(),
      title: `${name(vscode.Uri.parse(rollout.source))}, ${recordWords(rollout)}`,
      trajectory,
      stale: shown?.freshness === 'stale',
      // The panel computes on; what another policy gave is not there to be computed with.
      ...(shown && shown.freshness !== 'saved' && { scores: shown.scores, policy: policyLabel(shown.scores.provenance.policyName) }),
      ...(selected === undefined ? {} : { selected }),
    };
  }

  async select(turn: number): Promise<void> {
    const annotated = this.current();
    const anchor = annotated?.anchors?.turns[turn - 1];
    if (!annotated || !anchor) return;
    const { document } = annotated;
    const editor = this.editorOf(annotated) ?? (await vscode.window.showTextDocument(document, { viewColumn: columnOf(document) ?? columnOfEditors(), preserveFocus: true }));
    if (this.selectedTurn(annotated) === turn) return;
    const at = document.positionAt(anchor.query.start);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  async rescore(): Promise<void> {
    const annotated = this.current();
    if (annotated) await vscode.commands.executeCommand(commands.rescoreTrajectory, annotated.document.uri);
  }

  /** The active editor's trajectory; while something else is active, as the panel itself, the last one, as long as it is open, else one in sight: so it is after a reload. */
  private current(): Annotated | undefined {
    const active = vscode.window.activeTextEditor;
    const front = active && this.documents.annotated(active.document);
    const again = this.last && !this.last.document.isClosed ? this.documents.annotated(this.last.document) : undefined;
    if (front) this.lastEditor = active;
    this.last = front ?? again ?? vscode.window.visibleTextEditors.flatMap(({ document }) => this.documents.annotated(document) ?? [])[0];
    return this.last;
  }

  private editorOf({ document }: Annotated): vscode.TextEditor | undefined {
    const shown = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    return shown.find((editor) => editor === this.lastEditor) ?? shown[0];
  }

  private selectedTurn(annotated: Annotated): number | undefined {
    const editor = this.editorOf(annotated);
    if (!editor || !annotated.anchors) return undefined;
    const at = annotated.document.offsetAt(editor.selection.active);
    return annotated.anchors.turns.find(({ whole }) => at >= whole.start && at <= whole.end)?.turn;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
