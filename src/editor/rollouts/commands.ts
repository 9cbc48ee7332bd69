import * as vscode from 'vscode';
import { activeUri, say } from '../activeTab';
import type { Commands } from '../commands';
import { commands, transcriptScheme } from '../ids';
import { rolloutOf } from '../rollout';
import type { Condition, SortKey } from './arrange';
import type { ListedFiles } from './listedFiles';
import { isNode, type Node } from './nodes';
import type { RolloutsView } from './view';

const sorts: readonly { readonly key: SortKey; readonly label: string }[] = [
  { key: 'file', label: 'Order in the file' },
  { key: 'outcome', label: 'Outcome' },
  { key: 'reward', label: 'Sum of process rewards' },
  { key: 'worst', label: 'Reward of the worst turn' },
  { key: 'best', label: 'Reward of the best turn' },
  { key: 'turns', label: 'Turns' },
  { key: 'findings', label: 'Findings' },
];

const conditions: readonly { readonly condition: Condition; readonly label: string }[] = [
  { condition: 'failed', label: 'Outcome below 1' },
  { condition: 'scored', label: 'Scored' },
  { condition: 'spikes', label: 'With a spike' },
  { condition: 'findings', label: 'With findings' },
  { condition: 'damaged', label: 'Cannot be read' },
];

/** What the view's title, its lines and the explorer offer. */
export function registerRolloutsCommands(register: Commands, view: RolloutsView, files: ListedFiles): vscode.Disposable {
  const onNode = (id: string, action: (node: Node) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(id, (node: unknown) => (isNode(node) ? action(node) : say('Choose a line of the Rollouts view first.')));
  return vscode.Disposable.from(
    register.add(commands.showInRollouts, async (uri = activeUri()) => {
      const source = uri?.scheme === transcriptScheme ? rolloutOf(uri.query)?.source : uri?.toString();
      if (source === undefined) return say('Open a file of trajectories first.');
      files.add(vscode.Uri.parse(source));
      await view.reveal(vscode.Uri.parse(source));
    }),
    register.add(commands.findRollouts, async () => {
      const title = 'Looking for trajectories in the workspace';
      const { found, looked } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, cancellable: true, title }, (_, token) => files.find(token));
      if (found === 0) say(`None of ${looked} .traj and JSONL files of the workspace holds trajectories.`);
    }),
    register.add(commands.stopReadingRollouts, () => view.stop()),
    register.add(commands.sortRollouts, () => sort(view)),
    register.add(commands.filterRollouts, () => filter(view)),
    register.add(commands.groupRollouts, () => {
      const { arrangement } = view;
      view.arrangement = { ...arrangement, group: arrangement.group === 'question' ? 'none' : 'question' };
    }),
    onNode(commands.removeFromRollouts, ({ source }) => files.remove(source)),
    onNode(commands.readMoreRollouts, ({ source }) => view.listing(source).more()),
    onNode(commands.rescoreListed, (node) => rescore(node, view)),
  );
}

async function sort(view: RolloutsView): Promise<void> {
  const { arrangement } = view;
  const items = sorts.flatMap(({ key, label }) =>
    (['ascending', 'descending'] as const).map((order) => {
      const isCurrent = key === arrangement.sort && order === arrangement.order;
      return { key, order, label, description: `${order}${isCurrent ? ' (now)' : ''}` };
    }),
  );
  const chosen = await vscode.window.showQuickPick(items, { title: 'Sort rollouts by', matchOnDescription: true });
  if (chosen) view.arrangement = { ...arrangement, sort: chosen.key, order: chosen.order };
}

async function filter(view: RolloutsView): Promise<void> {
  const { arrangement } = view;
  const items = conditions.map((c) => ({ ...c, picked: arrangement.conditions.includes(c.condition) }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Show rollouts where all of these hold', canPickMany: true });
  if (chosen) view.arrangement = { ...arrangement, conditions: chosen.map(({ condition }) => condition) };
}

/** A rollout alone, a question with its group, or the whole file. */
async function rescore(node: Node, view: RolloutsView): Promise<unknown> {
  const uri = vscode.Uri.parse(node.source);
  if (node.kind === 'rollout') return vscode.commands.executeCommand(commands.rescoreTrajectory, uri, node.listed.row.record);
  const readable = (node.kind === 'question' ? node.group.rollouts.map(({ row }) => row) : view.listing(node.source).rows).find((row) => row.problem === undefined);
  if (!readable) return say('No record here can be scored yet; open the file in the view first.');
  return vscode.commands.executeCommand(node.kind === 'question' ? commands.rescoreQuestion : commands.rescoreFile, uri, readable.record);
}
