import * as vscode from 'vscode';
import { commands } from './ids';
import { registerSampleCommand } from './sampleCommand';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Turnlens', { log: true });
  context.subscriptions.push(
    log,
    registerSampleCommand(),
    vscode.commands.registerCommand(commands.showLog, () => log.show()),
  );
}

export function deactivate(): void {
  // Everything is in context.subscriptions.
}
