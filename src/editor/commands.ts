import * as vscode from 'vscode';
import { commands } from './ids';

/** Registers commands so that none of them ends in a stack trace: what nobody foresaw is one sentence here, and whole in the log. */
export class Commands {
  constructor(private readonly log: vscode.LogOutputChannel) {}

  /** @param action given what a lens or a menu names: a document's URI with a detail, or a file and the number of a record in it */
  add(id: string, action: (uri?: vscode.Uri, detail?: unknown) => unknown): vscode.Disposable {
    return this.addPlain(id, (first, second) => {
      const { uri, detail } = named(first, second);
      return action(uri, detail);
    });
  }

  /** @param action given what the caller gives */
  addPlain(id: string, action: (first?: unknown, second?: unknown) => unknown): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (first?: unknown, second?: unknown): Promise<unknown> => {
      try {
        return await action(first, second);
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

function named(first: unknown, second: unknown): { readonly uri?: vscode.Uri; readonly detail?: unknown } {
  if (first instanceof vscode.Uri) return { uri: first, detail: second };
  if (typeof first !== 'object' || first === null || !('source' in first) || typeof first.source !== 'string') return { detail: second };
  return { uri: vscode.Uri.parse(first.source), ...('record' in first ? { detail: first.record } : {}) };
}
