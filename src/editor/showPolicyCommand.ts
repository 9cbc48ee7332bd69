import * as vscode from 'vscode';
import { policyReport, policyReportText } from '../scoring/policyReport';
import type { Commands } from './commands';
import { commands, configSection, policyScheme } from './ids';
import type { ScoringSession } from './session';

/** What the policy is, where it runs, and why not elsewhere: a read-only text of its own, which a screen reader reads as any other. */
export function registerShowPolicyCommand(register: Commands, session: ScoringSession): vscode.Disposable {
  const uri = vscode.Uri.from({ scheme: policyScheme, path: 'Policy and Device' });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const text = (): string => {
    const { loaded: info, folder, device: asked, state } = session;
    const failure = state.kind === 'failed' ? { failure: state.error.message } : {};
    return policyReportText(policyReport({ folder, asked, platform: process.platform, ...(info ? { info } : {}), ...failure }));
  };
  return vscode.Disposable.from(
    changed,
    session.onDidChangeState(() => changed.fire(uri)),
    vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration(configSection) && changed.fire(uri)),
    vscode.workspace.registerTextDocumentContentProvider(policyScheme, { onDidChange: changed.event, provideTextDocumentContent: text }),
    register.add(commands.showPolicy, async () => {
      changed.fire(uri);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    }),
  );
}
