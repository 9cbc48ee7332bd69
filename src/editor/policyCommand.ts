import * as vscode from 'vscode';
import type { Commands } from './commands';
import { commands, configSection } from './ids';
import { tell } from './policyFailure';
import type { ScoringSession } from './session';

const recentKey = 'recentPolicies';
const mostRecent = 6;

interface Choice extends vscode.QuickPickItem {
  readonly folder: string | 'browse';
}

/** The demo policy, folders used before, or any other. Resolves to whether one was chosen. */
export function registerPolicyCommand(register: Commands, context: vscode.ExtensionContext, session: ScoringSession): vscode.Disposable {
  return register.add(commands.selectPolicy, async (): Promise<boolean> => {
    const recent = context.globalState.get<string[]>(recentKey, []);
    const choices: Choice[] = [
      { label: 'Demo policy', description: 'comes with Turnlens', folder: '' },
      ...recent.map((folder) => ({ label: folder.split(/[\\/]/).at(-1) ?? folder, description: folder, folder })),
      { label: 'Browse…', description: 'a folder with config.json, tokenizer and an ONNX decoder', folder: 'browse' },
    ];
    const choice = await vscode.window.showQuickPick(choices, { title: 'Policy that replays the turns', placeHolder: `Now: ${session.policyName}`, matchOnDescription: true });
    const folder = choice?.folder === 'browse' ? await browse() : choice?.folder;
    if (folder === undefined) return false;
    if (folder !== '') await context.globalState.update(recentKey, [folder, ...recent.filter((f) => f !== folder)].slice(0, mostRecent));
    await select(folder);
    await session.close();
    const trouble = await session.check();
    if (trouble) void tell(trouble);
    return trouble === undefined;
  });
}

/** For this user; where the workspace names a policy of its own, for the workspace, as it would win otherwise. */
async function select(folder: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(configSection);
  if (settings.inspect('policy')?.workspaceValue !== undefined) await settings.update('policy', folder, vscode.ConfigurationTarget.Workspace);
  else await settings.update('policy', folder === '' ? undefined : folder, vscode.ConfigurationTarget.Global);
}

async function browse(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({ canSelectFiles: false, canSelectFolders: true, openLabel: 'Select Policy' });
  return picked?.[0]?.fsPath;
}
