import * as vscode from 'vscode';
import { count } from '../../scoring/format';
import { activeUri, say } from '../activeTab';
import type { Commands } from '../commands';
import { commands } from '../ids';
import { shownRollout } from '../rollout';
import type { ScoreRecords } from '../scoringCommands';
import { unfiltered } from './arrange';
import { filterByConditions, filterByText, sort } from './arrangementCommands';
import { transcriptUri } from '../transcripts';
import type { ListedFiles } from './listedFiles';
import { isNode, type Node } from './nodes';
import { groupKeyOf } from './row';
import { showInRollouts } from './showInRollouts';
import type { RolloutsView } from './view';

/** What the view's title, its lines and the explorer offer. */
export function registerRolloutsCommands(register: Commands, view: RolloutsView, files: ListedFiles, score: ScoreRecords): vscode.Disposable {
  const onNode = (id: string, action: (node: Node) => unknown): vscode.Disposable =>
    register.addPlain(id, (node) => (isNode(node) ? action(node) : say('Choose a line of the Rollouts view first.')));
  return vscode.Disposable.from(
    register.add(commands.showInRollouts, async (uri = activeUri()) => {
      const rollout = uri && shownRollout(uri);
      const source = rollout ? vscode.Uri.parse(rollout.source) : uri;
      if (source === undefined) return say('Open a file of trajectories first.');
      files.add(source);
      await showInRollouts(view, source, rollout);
    }),
    register.add(commands.findRollouts, async () => {
      const title = 'Looking for trajectories in the workspace';
      const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
      const { found, looked, isStopped } = await vscode.window.withProgress(options, async (_, token) => ({ ...(await files.find(token)), isStopped: token.isCancellationRequested }));
      // A search that was stopped has not found out.
      if (found > 0 || isStopped) return undefined;
      if (looked === 0) return say('No folder that is open holds a .traj, JSONL or .eval file; open the folder that the rollouts are in.');
      return say(`None of ${count(looked, '.traj, JSONL or .eval file')} of the workspace holds trajectories.`);
    }),
    register.add(commands.stopReadingRollouts, () => view.stop()),
    register.add(commands.sortRollouts, () => sort(view)),
    register.add(commands.filterRollouts, () => filterByConditions(view)),
    register.add(commands.filterRolloutsByText, () => filterByText(view)),
    register.add(commands.showAllRollouts, () => {
      view.arrangement = unfiltered(view.arrangement);
    }),
    register.add(commands.groupRollouts, () => {
      const { arrangement } = view;
      view.arrangement = { ...arrangement, group: arrangement.group === 'question' ? 'none' : 'question' };
    }),
    onNode(commands.removeFromRollouts, ({ source }) => files.remove(source)),
    onNode(commands.readMoreRollouts, ({ source }) => view.listing(source).more()),
    onNode(commands.rescoreListed, (node) => rescore(node, view, score)),
  );
}

/** A rollout alone, a question with all its rollouts in the file, filtered or not, or the whole file. */
async function rescore(node: Node, view: RolloutsView, score: ScoreRecords): Promise<unknown> {
  const { source } = node;
  if (node.kind === 'note') return false;
  if (node.kind === 'line') return vscode.commands.executeCommand(commands.rescoreTrajectory, transcriptUri({ source, record: node.record, line: node.row.line }));
  if (node.kind === 'rollout') return vscode.commands.executeCommand(commands.rescoreTrajectory, vscode.Uri.parse(source), node.record);
  // Before the list is whole it lacks rollouts of the question, and figures stand over all of them.
  if (view.progress(source).kind !== 'read') return score(source, 'all', node.kind === 'file' ? undefined : (trajectory) => groupKeyOf(trajectory) === node.group.key);
  const wanted = view.listed(source).filter(({ row }) => row.problem === undefined && (node.kind === 'file' || row.group === node.group.key));
  return score(source, wanted.map(({ row }) => row.record));
}
