import * as vscode from 'vscode';
import type { PolicyError } from '../replay/policy';
import { commands } from './ids';

/** Shows a failure once, with what can be done about it, and says what the user chose. */
export async function tell(e: PolicyError): Promise<'restart' | 'again' | 'leave'> {
  switch (e.code) {
    case 'cancelled':
      return 'leave';
    case 'hung':
      return 'restart'; // the answer to the question that ended the run
    case 'crashed':
    case 'out-of-memory':
      return (await vscode.window.showErrorMessage(e.message, 'Restart')) === 'Restart' ? 'restart' : 'leave';
    case 'run-failed':
      if ((await vscode.window.showErrorMessage(e.message, 'Show Log')) === 'Show Log') await vscode.commands.executeCommand(commands.showLog);
      return 'leave';
    case 'bad-folder':
    case 'load-failed':
      return tellFolder(e.message);
  }
}

/** The message on a checkpoint without ONNX ends with the exact export command. */
async function tellFolder(message: string): Promise<'again' | 'leave'> {
  const exportCommand = /\boptimum-cli export .+$/.exec(message)?.[0];
  const choice = await vscode.window.showErrorMessage(message, ...(exportCommand ? ['Copy Command'] : []), 'Select Policy…');
  if (choice === 'Copy Command' && exportCommand) await vscode.env.clipboard.writeText(exportCommand);
  return choice === 'Select Policy…' && (await vscode.commands.executeCommand(commands.selectPolicy)) === true ? 'again' : 'leave';
}
