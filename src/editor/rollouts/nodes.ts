import * as vscode from 'vscode';
import { commands } from '../ids';
import { name } from '../sources';
import type { Listed, QuestionGroup } from './arrange';
import type { Progress } from './listing';
import { questionLine, rolloutLine, type Line } from './words';

/** A line of the view. The menus give one back to the commands. */
export type Node =
  | { readonly kind: 'file'; readonly source: string }
  | { readonly kind: 'question'; readonly source: string; readonly group: QuestionGroup }
  | { readonly kind: 'rollout'; readonly source: string; readonly listed: Listed }
  /** Why there are no more lines; a partial list goes on from here. */
  | { readonly kind: 'note'; readonly source: string; readonly text: string; readonly more: boolean };

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'kind' in value && 'source' in value;

/** @param progress of the node's file */
export function treeItem(node: Node, progress: Progress, rollouts: number): vscode.TreeItem {
  switch (node.kind) {
    case 'file':
      return fileItem(node.source, progress, rollouts);
    case 'question':
      return itemOf(questionLine(node.group), `${node.source}?${node.group.key}`, 'question', vscode.TreeItemCollapsibleState.Collapsed);
    case 'rollout': {
      const { record } = node.listed.row;
      const item = itemOf(rolloutLine(node.listed), `${node.source}#${record}`, node.listed.row.problem === undefined ? 'rollout' : 'damaged', vscode.TreeItemCollapsibleState.None);
      item.command = { command: commands.openTranscript, title: '', arguments: [vscode.Uri.parse(node.source), record] };
      return item;
    }
    case 'note': {
      const item = new vscode.TreeItem(node.text);
      item.id = `${node.source}!`;
      item.iconPath = new vscode.ThemeIcon(node.more ? 'ellipsis' : 'info');
      if (node.more) item.command = { command: commands.readMoreRollouts, title: '', arguments: [node] };
      return item;
    }
  }
}

function fileItem(source: string, progress: Progress, rollouts: number): vscode.TreeItem {
  const uri = vscode.Uri.parse(source);
  const item = new vscode.TreeItem(name(uri), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = source;
  item.contextValue = 'file';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  item.tooltip = vscode.workspace.asRelativePath(uri);
  item.description = progress.kind === 'read' ? `${rollouts} ${rollouts === 1 ? 'rollout' : 'rollouts'}` : progressWords(progress);
  return item;
}

/** `120 of 400 rollouts` */
export function progressWords(progress: Progress): string {
  switch (progress.kind) {
    case 'reading':
      return `${progress.read} of ${progress.of}${progress.searching ? ' found so far' : ''} read`;
    case 'partial':
      return `${progress.read} of ${progress.of} read`;
    case 'refused':
      return 'cannot be listed';
    default:
      return '';
  }
}

function itemOf(line: Line, id: string, contextValue: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(line.label, state);
  item.id = id;
  item.contextValue = contextValue;
  item.description = line.description;
  item.tooltip = line.tooltip;
  item.iconPath = new vscode.ThemeIcon(line.icon.id, line.icon.color === undefined ? undefined : new vscode.ThemeColor(line.icon.color));
  item.accessibilityInformation = { label: `${line.label}, ${line.description.replaceAll(' · ', ', ')}` };
  return item;
}
