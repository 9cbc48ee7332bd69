import * as path from 'node:path';
import * as vscode from 'vscode';
import { readNative } from '../trajectory/read';
import { samples } from './bundled';
import type { Commands } from './commands';
import { commands } from './ids';
import { openUntitled } from './untitled';

/** A copy to play with: unsaved, so that the sample itself stays as it is. */
export function registerSampleCommand(register: Commands): vscode.Disposable {
  return register.add(commands.openSample, async (_uri, name) => {
    const folder = vscode.Uri.file(samples);
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file).filter((file) => file.endsWith('.traj')).sort();
    const chosen = typeof name === 'string' ? name : await pick(names);
    if (chosen !== undefined && names.includes(chosen)) await openUntitled(chosen, await text(chosen));
  });
}

async function pick(names: readonly string[]): Promise<string | undefined> {
  const items = names.map(async (label) => {
    const sample = readNative(await text(label));
    return { label, description: sample.kind === 'trajectory' ? sample.trajectory.question : '' };
  });
  const chosen = await vscode.window.showQuickPick(Promise.all(items), { title: 'Sample trajectory', placeHolder: 'Opens a copy', matchOnDescription: true });
  return chosen?.label;
}

const text = async (name: string): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.file(path.join(samples, name)))).toString('utf8');
