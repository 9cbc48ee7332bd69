import * as vscode from 'vscode';

/** The tab's, so that a file without a text document (a binary) is named too. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return vscode.window.activeTextEditor?.document.uri;
}

export function say(sentence: string): undefined {
  void vscode.window.showWarningMessage(sentence);
  return undefined;
}
