import * as path from 'node:path';
import * as vscode from 'vscode';
import { samples } from './bundled';
import type { Commands } from './commands';
import { commands } from './ids';
import { openUntitled } from './untitled';

/** A copy to play with: unsaved, so that the sample itself stays as it is. */
export function registerSampleCommand(register: Commands): vscode.Disposable {
  return register.add(commands.openSample, async (_uri, name) => {
    const folder = vscode.Uri.file(samples);
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file).filter((file) => file.endsWith('.traj')).sort();
    const chosen = typeof name === 'string' ? name : await vscode.window.showQuickPick(names, { title: 'Sample trajectory' });
    if (chosen === undefined || !names.includes(chosen)) return;
    const content = Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.file(path.join(samples, chosen)))).toString('utf8');
    await openUntitled(chosen, content);
  });
}
