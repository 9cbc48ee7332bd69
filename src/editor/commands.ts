import * as vscode from 'vscode';
import { commands } from './ids';

/** Registers commands so that none of them ends in a stack trace: what nobody foresaw is one sentence here, and whole in the log. */
export class Commands {
  constructor(private readonly log: vscode.LogOutputChannel) {}

  add(id: string, action: (uri?: vscode.Uri, detail?: unknown) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (uri?: unknown, detail?: unknown): Promise<unknown> => {
      try {
        return await action(uri instanceof vscode.Uri ? uri : undefined, detail);
      } catch (e) {
        this.log.error(`${id}: ${e instanceof Error ? (e.stack ?? e.message) : String(e)}`);
        void this.tell(e);
        return undefined;
      }
    });
  }

  private async tell(e: unknown): Promise<void> {
    const [reason = ''] = (e instanceof Error ? e.message : String(e)).split('\n');
    const showLog = 'Show Log';
    const choice = await vscode.window.showErrorMessage(`Turnlens could not do this (${reason.replace(/\.$/, '')}); the log has more.`, showLog);
    if (choice === showLog) await vscode.commands.executeCommand(commands.showLog);
  }
}
