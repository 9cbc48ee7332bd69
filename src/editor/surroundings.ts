import * as vscode from 'vscode';
import type { Annotated } from './annotated';
import type { Documents } from './documents';
import { contextKeys } from './ids';
import { holdsRecords } from './recordList';
import { shownRollout } from './rollout';
import type { ScoreBook } from './scoreBook';
import type { ScoringSession } from './session';
import { StatusBar } from './statusBar';
import type { StatusInput } from './statusText';

/** What stands around the active editor: the status bar, and the context keys that menus and key bindings look at. */
export class Surroundings implements vscode.Disposable {
  private readonly bar = new StatusBar();
  private readonly disposables: vscode.Disposable;

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
    private readonly session: ScoringSession,
  ) {
    const refresh = (): void => this.refresh();
    const { onDidChangeActiveTextEditor, onDidChangeVisibleTextEditors } = vscode.window;
    this.disposables = vscode.Disposable.from(this.bar, onDidChangeActiveTextEditor(refresh), onDidChangeVisibleTextEditors(refresh), session.onDidChangeState(refresh));
    refresh();
  }

  refresh(): void {
    const document = vscode.window.activeTextEditor?.document;
    const annotated = document && this.documents.annotated(document);
    const shown = annotated && this.book.get(annotated.rollout);
    const isOurs = annotated !== undefined || (document !== undefined && holdsRecords(document, this.documents.dialects()));
    setContext(contextKeys.trajectory, isOurs);
    setContext(contextKeys.scored, document !== undefined && this.book.holds(shownRollout(document.uri)?.source ?? document.uri.toString()));
    const figures = annotated?.anchors ? shown : undefined;
    setContext(contextKeys.figures, figures !== undefined);
    setContext(contextKeys.spikes, figures?.scores.turns.some((t) => t.spike) ?? false);
    // A page that is in front, as the panel, is of what stands beside it.
    const beside = document ? annotated : vscode.window.visibleTextEditors.flatMap((editor) => this.documents.annotated(editor.document) ?? [])[0];
    this.bar.show(isOurs || beside ? this.status(beside) : undefined);
  }

  private status(annotated: Annotated | undefined): StatusInput {
    const shown = annotated && this.book.get(annotated.rollout);
    return {
      policyName: this.session.policyName,
      state: this.session.state,
      ...(shown && shown.freshness !== 'saved' && { device: shown.scores.provenance.device, freshness: shown.freshness }),
    };
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

const setContext = (key: string, value: boolean): void => void vscode.commands.executeCommand('setContext', key, value);
