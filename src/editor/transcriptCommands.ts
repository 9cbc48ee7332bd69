import * as vscode from 'vscode';
import { writeNative } from '../trajectory/write';
import { activeUri, say } from './activeTab';
import type { Commands } from './commands';
import type { Documents } from './documents';
import { commands, transcriptScheme } from './ids';
import type { Resolver } from './resolve';
import { rolloutOf, type Rollout } from './rollout';
import { largestDocument, openTranscript } from './showRollout';
import { name, openDocument, sizeOf } from './sources';
import { openUntitled } from './untitled';

/** From the source to the transcript, back again, and out of either as a `.traj` to be edited. */
export function registerTranscriptCommands(register: Commands, resolver: Resolver, documents: Documents): vscode.Disposable {
  return vscode.Disposable.from(
    register.add(commands.openTranscript, async (uri, record) => {
      const rollout = await resolver.rollout(uri, typeof record === 'number' ? record : undefined);
      if (rollout) await openTranscript(rollout);
    }),
    register.add(commands.revealInSource, async (uri = activeUri()) => {
      const rollout = uri?.scheme === transcriptScheme ? rolloutOf(uri.query) : undefined;
      if (!rollout) return say('Only a transcript leads back to its source; open one first.');
      return revealInSource(rollout, resolver, documents);
    }),
    register.add(commands.saveAsTraj, async (uri) => {
      const target = await resolver.target(await resolver.rollout(uri));
      if (!target) return;
      const source = vscode.Uri.parse(target.rollout.source);
      const stem = name(source).replace(/\.(jsonl|json|traj)$/, '');
      await openUntitled(`${stem}-${target.rollout.record}.traj`, writeNative(target.trajectory));
    }),
  );
}

/** To the record's line, where the source is a document that an editor can hold. */
async function revealInSource(rollout: Rollout, resolver: Resolver, documents: Documents): Promise<void> {
  const source = vscode.Uri.parse(rollout.source);
  const document = openDocument(source);
  const isNative = document && documents.annotated(document);
  const file = isNative ? undefined : await resolver.file(source);
  if (!isNative && !file) return;
  const line = file?.kind.kind === 'trajectories' && file.kind.format === 'verl' ? (file.records[rollout.record]?.line ?? 0) : 0;
  if (!document && (await sizeOf(source)) > largestDocument) {
    say(`${name(source)} is larger than an editor can hold (50 MB); the record stands in its line ${line + 1}.`);
    return;
  }
  const editor = await vscode.window.showTextDocument(source);
  const position = new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
}
