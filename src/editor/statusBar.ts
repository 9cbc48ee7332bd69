import * as vscode from 'vscode';
import { commands } from './ids';
import { statusText, type StatusInput } from './statusText';

/** Policy, device, and whether what the active editor shows is stale. Hidden where no trajectory is in sight. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('turnlens.policy', vscode.StatusBarAlignment.Right, 90);

  constructor() {
    this.item.name = 'Turnlens Policy';
    this.item.command = commands.selectPolicy;
  }

  show(input: StatusInput | undefined): void {
    if (!input) return this.item.hide();
    const { text, tooltip, warning } = statusText(input);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

