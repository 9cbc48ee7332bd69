import * as vscode from 'vscode';
import type { Trajectory } from '../trajectory/model';
import { activeUri, say } from './activeTab';
import type { Commands } from './commands';
import type { Documents } from './documents';
import { commands } from './ids';
import type { Rescoring, Target } from './rescore';
import type { Resolver } from './resolve';
import { rolloutKey, shownRollout } from './rollout';
import type { ScoreBook } from './scoreBook';
import { showRollout } from './showRollout';
import { name, type SourceFiles } from './sources';

type Scope = 'trajectory' | 'question';

/** What a re-score takes in, from the rollout that it was asked for. */
type Gather = (of: Target) => Promise<{ readonly targets: readonly Target[]; readonly scope: Scope }>;

/** Re-score in its four forms, and Clear. Each takes what the lens or the menu passes: a document's URI and, of a file of rollouts, the record. */
export function registerScoringCommands(register: Commands, resolver: Resolver, rescoring: Rescoring, book: ScoreBook, documents: Documents, sources: SourceFiles): vscode.Disposable {
  const rescore =
    (gather: Gather, ignoreCache = false) =>
    async (uri?: vscode.Uri, record?: unknown): Promise<boolean> => {
      if (!vscode.workspace.isTrusted) return untrusted();
      const target = await resolver.target(await resolver.rollout(uri, typeof record === 'number' ? record : undefined));
      if (!target) return false;
      if (target.trajectory.turns.length === 0) return !!say('This trajectory has no search turns, so there is nothing to score.');
      await showRollout(target, documents, sources);
      const { targets, scope } = await gather(target);
      return rescoring.run(targets, { scope, ignoreCache });
    };
  const alone: Gather = async (target) => ({ targets: [target], scope: 'trajectory' });
  const file: Gather = async (target) => ({ targets: await resolver.siblings(target), scope: 'question' });
  const question: Gather = async (target) => {
    const { group } = target.trajectory;
    const targets = group === undefined ? [target] : (await resolver.siblings(target)).filter((t) => t.trajectory.group === group);
    return { targets, scope: 'question' };
  };
  /** As it was last scored. */
  const again: Gather = async (target) => {
    const last = rescoring.lastRun(target.rollout);
    if (!last || last.scope === 'trajectory') return alone(target);
    const wanted = new Set(last.rollouts.map(rolloutKey));
    return { targets: (await resolver.siblings(target)).filter((t) => wanted.has(rolloutKey(t.rollout))), scope: last.scope };
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
    const targets = (await resolver.targets(source, records)).filter(({ trajectory }) => trajectory.turns.length > 0 && wanted(trajectory));
    if (targets.length === 0) return !!say('No record here has search turns, so there is nothing to score.');
    return rescoring.run(targets, { scope: 'question' });
  };

function untrusted(): false {
  const manage = 'Manage Workspace Trust';
  void vscode.window
    .showWarningMessage('In a restricted workspace trajectories can be read, not scored: scoring runs a policy.', manage)
    .then((choice) => choice === manage && vscode.commands.executeCommand('workbench.trust.manage'));
  return false;
}
