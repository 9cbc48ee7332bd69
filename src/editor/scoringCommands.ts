import * as vscode from 'vscode';
import type { Trajectory } from '../trajectory/model';
import { activeUri, say } from './activeTab';
import type { Commands } from './commands';
import type { Documents } from './documents';
import { commands } from './ids';
import type { Gather, Rescoring, Target } from './rescore';
import type { Resolver } from './resolve';
import { recordWords, shownRollout, type Rollout } from './rollout';
import type { ScoreBook } from './scoreBook';
import { showRollout } from './showRollout';
import { name, type SourceFiles } from './sources';

type Scope = 'trajectory' | 'question';

/** What a re-score takes in, from the rollout that it was asked for. */
type Extent = (of: Target) => { readonly gather: Gather; readonly scope: Scope };

/** Re-score in its four forms, and Clear. Each takes what the lens or the menu passes: a document's URI and, of a file of rollouts, the record. */
export function registerScoringCommands(register: Commands, resolver: Resolver, rescoring: Rescoring, book: ScoreBook, documents: Documents, sources: SourceFiles): vscode.Disposable {
  const rescore =
    (extent: Extent, ignoreCache = false) =>
    async (uri?: vscode.Uri, record?: unknown): Promise<boolean> => {
      if (!vscode.workspace.isTrusted) return untrusted();
      const target = await resolver.target(await resolver.rollout(uri, typeof record === 'number' ? record : undefined));
      if (!target) return false;
      if (target.trajectory.turns.length === 0) return !!say(`${whereOf(target.rollout)} has no search turns, so there is nothing to score.`);
      await showRollout(target, documents, sources);
      const { gather, scope } = extent(target);
      return rescoring.run(gather, { scope, ignoreCache });
    };
  const alone: Extent = (target) => ({ gather: async () => [target], scope: 'trajectory' });
  const file: Extent = (target) => ({ gather: (on) => resolver.siblings(target, 'all', on), scope: 'question' });
  const question: Extent = (target) => {
    const { group } = target.trajectory;
    return { gather: group === undefined ? async () => [target] : (on) => resolver.siblings(target, 'all', on, (t) => t.group === group), scope: 'question' };
  };
  /** As it was last scored. */
  const again: Extent = (target) => {
    const last = rescoring.lastRun(target.rollout);
    if (!last || last.scope === 'trajectory') return alone(target);
    return { gather: (on) => resolver.siblings(target, last.rollouts.map(({ record }) => record), on), scope: last.scope };
  };
  return vscode.Disposable.from(
    register.add(commands.rescoreTrajectory, rescore(alone)),
    register.add(commands.rescoreQuestion, rescore(question)),
    register.add(commands.rescoreFile, rescore(file)),
    register.add(commands.rescoreIgnoringCache, rescore(again, true)),
    register.add(commands.clearScores, (uri = activeUri()) => {
      if (!uri) return say('Open a trajectory first.');
      const source = shownRollout(uri)?.source ?? uri.toString();
      if (!book.holds(source)) say(`${name(vscode.Uri.parse(source))} shows no scores.`);
      return rescoring.forget(source);
    }),
  );
}

/** Scores records of one file in the scope of their question, those that can be read and are `wanted`, and leaves the editor as it is. */
export type ScoreRecords = (source: string, records: readonly number[] | 'all', wanted?: (trajectory: Trajectory) => boolean) => Promise<boolean>;

export const scoreRecords =
  (resolver: Resolver, rescoring: Rescoring): ScoreRecords =>
  async (source, records, wanted = () => true) => {
    if (!vscode.workspace.isTrusted) return untrusted();
    const gather: Gather = async (on) => {
      const targets = await resolver.targets(source, records, on, (trajectory) => trajectory.turns.length > 0 && wanted(trajectory));
      if (targets?.length === 0) say(`No chosen record of ${name(vscode.Uri.parse(source))} has search turns, so there is nothing to score.`);
      return targets ?? [];
    };
    return rescoring.run(gather, { scope: 'question' });
  };

const whereOf = (rollout: Rollout): string => `${name(vscode.Uri.parse(rollout.source))}, ${recordWords(rollout)},`;

function untrusted(): false {
  const manage = 'Manage Workspace Trust';
  void vscode.window
    .showWarningMessage('In a restricted workspace trajectories can be read, not scored: scoring runs a policy.', manage)
    .then((choice) => choice === manage && vscode.commands.executeCommand('workbench.trust.manage'));
  return false;
}
