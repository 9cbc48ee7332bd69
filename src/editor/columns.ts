import * as vscode from 'vscode';

/** Where a document is shown: in sight, else behind another tab; `undefined`: nowhere, or behind a page, which would be hidden. */
export function columnOf(document: vscode.TextDocument): vscode.ViewColumn | undefined {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const inSight = [activeTextEditor, ...visibleTextEditors].find((editor) => editor?.document === document && editor.viewColumn !== undefined);
  if (inSight) return inSight.viewColumn;
  const uri = document.uri.toString();
  const holds = ({ tabs }: vscode.TabGroup): boolean => tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri);
  return [tabGroups.activeTabGroup, ...tabGroups.all].find((group) => holds(group) && !showsPage(group))?.viewColumn;
}

/** The first column with an editor in front, else a new one. */
export const columnOfEditors = (): vscode.ViewColumn => vscode.window.tabGroups.all.find((group) => !showsPage(group))?.viewColumn ?? vscode.ViewColumn.Beside;

const showsPage = ({ activeTab }: vscode.TabGroup): boolean => activeTab?.input instanceof vscode.TabInputWebview;
