import * as vscode from 'vscode';
import { commands, configSection } from './ids';
import { tell } from './policyFailure';
import type { ScoringSession } from './session';

const recentKey = 'recentPolicies';
const mostRecent = 6;

interface Choice extends vscode.QuickPickItem {
  readonly folder: string | 'browse';
}

/** The demo policy, folders used before, or any other. Resolves to whether one was chosen. */
export function registerPolicyCommand(context: vscode.ExtensionContext, session: ScoringSession): vscode.Disposable {
  return vscode.commands.registerCommand(commands.selectPolicy, async (): Promise<boolean> => {
    const recent = context.globalState.get<string[]>(recentKey, []);
    const choices: Choice[] = [
      { label: 'Demo policy', description: 'comes with Turnlens', folder: '' },
      ...recent.map((folder) => ({ label: folder.split(/[\\/]/).at(-1) ?? folder, description: folder, folder })),
      { label: 'Browse…', description: 'a folder with config.json, tokenizer and an ONNX decoder', folder: 'browse' },
    ];
    const choice = await vscode.window.showQuickPick(choices, { title: 'Policy that replays the turns', placeHolder: session.folder });
    const folder = choice?.folder === 'browse' ? await browse() : choice?.folder;
    if (folder === undefined) return false;
    if (folder !== '') await context.globalState.update(recentKey, [folder, ...recent.filter((f) => f !== folder)].slice(0, mostRecent));
    await vscode.workspace.getConfiguration(configSection).update('policy', folder === '' ? undefined : folder, vscode.ConfigurationTarget.Global);
    await session.close();
    const trouble = await session.check();
    if (trouble) void tell(trouble);
    return trouble === undefined;
  });
}

async function browse(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true, openLabel: 'Select Policy' });
  return picked?.[0]?.fsPath;
}
