import * as vscode from 'vscode';
import { commands, transcriptScheme } from './ids';
import type { RescoreOptions, Rescoring, Target } from './rescore';
import { activeUri, say, type Resolver } from './resolve';
import { rolloutOf } from './rollout';
import { showRollout } from './showRollout';
import type { Documents } from './documents';
import type { SourceFiles } from './sources';

/** Re-score in its four forms. Each takes what the lens or the menu passes: a document's URI and, of a file of rollouts, the record. */
export function registerScoringCommands(resolver: Resolver, rescoring: Rescoring, documents: Documents, sources: SourceFiles): vscode.Disposable {
  const rescore =
    (options: RescoreOptions, gather: (target: Target) => Promise<Target[]>) =>
    async (uri?: vscode.Uri, record?: unknown): Promise<boolean> => {
      if (!vscode.workspace.isTrusted) return untrusted();
      const target = await resolver.target(await resolver.rollout(uri, typeof record === 'number' ? record : undefined));
      if (!target) return false;
      if (target.trajectory.turns.length === 0) return !!say('This trajectory has no search turns, so there is nothing to score.');
      await showRollout(target, documents, sources);
      return rescoring.run(await gather(target), options);
    };
  const alone = async (target: Target): Promise<Target[]> => [target];
  const file = (target: Target): Promise<Target[]> => resolver.siblings(target);
  const question = async (target: Target): Promise<Target[]> => {
    const { group } = target.trajectory;
    return group === undefined ? [target] : (await file(target)).filter((t) => t.trajectory.group === group);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.rescoreTrajectory, rescore({ scope: 'trajectory' }, alone)),
    vscode.commands.registerCommand(commands.rescoreQuestion, rescore({ scope: 'question' }, question)),
    vscode.commands.registerCommand(commands.rescoreFile, rescore({ scope: 'question' }, file)),
    vscode.commands.registerCommand(commands.rescoreIgnoringCache, rescore({ scope: 'trajectory', ignoreCache: true }, alone)),
    vscode.commands.registerCommand(commands.clearScores, (uri?: vscode.Uri) => {
      const of = uri ?? activeUri();
      if (of) rescoring.forget(of.scheme === transcriptScheme ? (rolloutOf(of.query)?.source ?? '') : of.toString());
    }),
  );
}

function untrusted(): false {
  const manage = 'Manage Workspace Trust';
  void vscode.window
    .showWarningMessage('In a restricted workspace trajectories can be read, not scored: scoring runs a policy.', manage)
    .then((choice) => choice === manage && vscode.commands.executeCommand('workbench.trust.manage'));
  return false;
}
