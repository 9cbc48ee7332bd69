import * as vscode from 'vscode';
import { writeNative } from '../trajectory/write';
import type { Documents } from './documents';
import { commands, transcriptScheme } from './ids';
import type { Resolver } from './resolve';
import { rolloutOf } from './rollout';
import { openTranscript } from './showRollout';
import { name } from './sources';
import { openUntitled } from './untitled';

/** From the source to the transcript, back again, and out of either as a `.traj` to be edited. */
export function registerTranscriptCommands(resolver: Resolver, documents: Documents): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.openTranscript, async (uri?: vscode.Uri, record?: unknown) => {
      const rollout = await resolver.rollout(uri, typeof record === 'number' ? record : undefined);
      if (rollout) await openTranscript(rollout);
    }),
    vscode.commands.registerCommand(commands.revealInSource, async (uri = vscode.window.activeTextEditor?.document.uri) => {
      if (uri instanceof vscode.Uri && uri.scheme === transcriptScheme) await revealInSource(uri, resolver, documents);
    }),
    vscode.commands.registerCommand(commands.saveAsTraj, async (uri?: vscode.Uri) => {
      const target = await resolver.target(await resolver.rollout(uri));
      if (!target) return;
      const source = vscode.Uri.parse(target.rollout.source);
      const stem = name(source).replace(/\.(jsonl|json|traj)$/, '');
      await openUntitled(`${stem}-${target.rollout.record}.traj`, writeNative(target.trajectory));
    }),
  );
}

/** To the turn under the cursor, where the source is a document an editor can hold. */
async function revealInSource(uri: vscode.Uri, resolver: Resolver, documents: Documents): Promise<void> {
  const rollout = rolloutOf(uri.query);
  if (!rollout) return;
  const source = vscode.Uri.parse(rollout.source);
  const editor = await vscode.window.showTextDocument(source);
  const reading = await documents.read(editor.document);
  const line = reading ? 0 : (await resolver.file(source))?.records[rollout.record]?.line ?? 0;
  const position = new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenter);
}
