import * as vscode from 'vscode';

/** Milliseconds after which nobody waits for what was asked for. */
const patience = 3_000;

/** Whether the user still waits for what they have just asked for, as far as can be told: they have not gone on in an editor or a terminal, and it is not long ago. */
export class Attention implements vscode.Disposable {
  private isElsewhere = false;
  private readonly began = Date.now();
  private readonly subscriptions: vscode.Disposable;

  constructor() {
    const leave = (): void => {
      this.isElsewhere = true;
    };
    const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(leave),
      vscode.window.onDidChangeActiveTerminal(leave),
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Keyboard || kind === Mouse) leave();
      }),
    );
  }

  get isHere(): boolean {
    return !this.isElsewhere && Date.now() - this.began < patience;
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
