import * as vscode from 'vscode';
import { count } from '../../scoring/format';
import { commands } from '../ids';
import { name } from '../sources';
import { transcriptUri } from '../transcripts';
import type { Listed, QuestionGroup } from './arrange';
import { badgeUri } from './badges';
import type { Progress } from './listing';
import { damagedKey, type LineRow } from './row';
import { questionLine, rolloutLine, sideLine, type Line } from './words';

/** A line of the view. The menus give one back to the commands; `record` is the one that a line stands for, of several the first. */
export type Node =
  | { readonly kind: 'file'; readonly source: string; readonly record: number }
  | { readonly kind: 'question'; readonly source: string; readonly record: number; readonly group: QuestionGroup }
  | { readonly kind: 'rollout'; readonly source: string; readonly record: number; readonly listed: Listed }
  /** Beside the main line of the record. */
  | { readonly kind: 'line'; readonly source: string; readonly record: number; readonly listed: Listed; readonly row: LineRow }
  /** Why there are no more lines; a partial list goes on from here. */
  | { readonly kind: 'note'; readonly source: string; readonly text: string; readonly more: boolean };

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'kind' in value && 'source' in value;

export const fileNode = (source: string): Node => ({ kind: 'file', source, record: 0 });
export const questionNode = (source: string, group: QuestionGroup): Node => ({ kind: 'question', source, group, record: group.rollouts[0]?.row.record ?? 0 });
export const rolloutNode = (source: string, listed: Listed): Node => ({ kind: 'rollout', source, listed, record: listed.row.record });

export const lineNodes = (source: string, listed: Listed): Node[] => listed.row.lines.map((row) => ({ kind: 'line', source, listed, row, record: listed.row.record }));

/** What is counted of a file. */
export interface Counts {
  readonly shown: number;
  readonly rollouts: number;
  readonly damaged: number;
  /** Another file of the view is called so too. */
  readonly isNamesake: boolean;
}

/** @param progress of the node's file */
export function treeItem(node: Node, progress: Progress, counts: Counts): vscode.TreeItem {
  switch (node.kind) {
    case 'file':
      return fileItem(node.source, progress, counts);
    case 'question':
      return itemOf(questionLine(node.group), `${node.source}?${node.group.first}`, node.group.key === damagedKey ? 'unreadable' : 'question', vscode.TreeItemCollapsibleState.Collapsed);
    case 'rollout':
      return rolloutItem(node.source, node.listed);
    case 'line':
      return lineItem(node.source, node.record, node.row);
    case 'note': {
      const item = new vscode.TreeItem(node.text);
      item.id = `${node.source}!`;
      item.tooltip = node.text;
      item.iconPath = new vscode.ThemeIcon(node.more ? 'ellipsis' : 'info');
      if (node.more) item.command = { command: commands.readMoreRollouts, title: '', arguments: [node] };
      return item;
    }
  }
}

/** Opens as a file of the explorer does: a click previews, a double click or Enter stays. A record that cannot be read opens as it is written. */
function rolloutItem(source: string, listed: Listed): vscode.TreeItem {
  const { record, problem, lines } = listed.row;
  const state = lines.length === 0 ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed;
  const item = itemOf(rolloutLine(listed), `${source}#${record}`, problem === undefined ? 'rollout' : 'damaged', state);
  item.command =
    problem === undefined
      ? { command: 'vscode.open', title: 'Open Transcript', arguments: [transcriptUri({ source, record })] }
      : { command: commands.revealInSource, title: 'Reveal in Source', arguments: [vscode.Uri.parse(source), record] };
  return item;
}

function lineItem(source: string, record: number, row: LineRow): vscode.TreeItem {
  const item = itemOf(sideLine(row), `${source}#${record}#${row.line}`, 'line', vscode.TreeItemCollapsibleState.None);
  item.command = { command: 'vscode.open', title: 'Open Transcript', arguments: [transcriptUri({ source, record, line: row.line })] };
  return item;
}

function fileItem(source: string, progress: Progress, counts: Counts): vscode.TreeItem {
  const uri = vscode.Uri.parse(source);
  const item = new vscode.TreeItem(name(uri), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = source;
  item.contextValue = progress.kind === 'partial' ? 'partial' : 'file';
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  const folder = counts.isNamesake ? vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')) : '';
  const words = [folder, progress.kind === 'read' ? countWords(counts) : progressWords(progress), counts.damaged > 0 ? `${counts.damaged} cannot be read` : ''];
  item.description = words.filter((part) => part !== '').join(' · ');
  item.tooltip = [vscode.workspace.asRelativePath(uri), progress.kind === 'refused' ? progress.message : item.description].join('\n');
  return item;
}

const countWords = ({ shown, rollouts }: Counts): string => (shown === rollouts ? count(rollouts, 'rollout') : `${shown} of ${count(rollouts, 'rollout')}`);

/** `120 of 400 read`, `stopped at 120 of 400` */
export function progressWords(progress: Progress): string {
  switch (progress.kind) {
    case 'reading':
      return `${progress.read} of ${progress.of}${progress.searching ? ' found so far' : ''} read`;
    case 'partial':
      return `stopped at ${progress.read} of ${progress.of}`;
    case 'refused':
      return 'cannot be listed';
    default:
      return '';
  }
}

function itemOf({ label, description, tooltip, spoken, icon, badge }: Line, id: string, contextValue: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.id = id;
  item.contextValue = contextValue;
  item.description = description;
  item.tooltip = tooltip;
  item.iconPath = new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
  item.accessibilityInformation = { label: spoken };
  if (badge) item.resourceUri = badgeUri(badge);
  return item;
}
