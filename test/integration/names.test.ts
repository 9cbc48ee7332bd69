import * as assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { shownRollout } from '../../src/editor/rollout';
import { closeAll, inWorkspace, lensesWith, lineWith, show, turnlens, until, untilEqual, useMessages, write } from './editorHelpers';

const lines = async (): Promise<string[]> => (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).trim().split('\n');

const transcriptInFront = (source: vscode.Uri, record: number): Promise<vscode.TextEditor> =>
  until(`the transcript of record ${record}`, () => {
    const editor = vscode.window.activeTextEditor;
    const shown = editor?.document.uri.scheme === 'turnlens-transcript' ? shownRollout(editor.document.uri) : undefined;
    return shown?.source === source.toString() && shown.record === record ? editor : undefined;
  });

describe('a file of any name', () => {
  useMessages();

  for (const stem of ['two words', 'a#b', '100%', '100%25 #1 [x]{y}', 'naïve 軌跡 🧭', "it's & <b>", '+plus,comma;semi']) {
    it(`is opened, listed, followed, scored and led back to: ${stem}`, async () => {
      const { rollouts: view, scores } = await turnlens();
      const [first, second, third] = await lines();
      const uri = await write(`${stem}.jsonl`, `${first}\n${second}\n`);
      await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
      const listing = view.listing(uri.toString());
      await until('its rollouts', () => listing.rows.length === 2 || undefined);
      await vscode.commands.executeCommand('turnlens.openTranscript', uri, 1);
      await transcriptInFront(uri, 1);
      assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
      assert.ok(scores.get({ source: uri.toString(), record: 1 }));
      await vscode.commands.executeCommand('turnlens.revealInSource');
      await untilEqual('its line', () => [vscode.window.activeTextEditor?.document.uri.toString(), vscode.window.activeTextEditor?.selection.active.line], [uri.toString(), 1]);
      await appendFile(uri.fsPath, `${third}\n`);
      await until('the new rollout', () => listing.rows.length === 3 || undefined);
      await vscode.commands.executeCommand('turnlens.clearScores', uri);
      await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    });
  }
});

describe('what an editor holds unsaved', () => {
  const messages = useMessages();
  const revert = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  // In a browser it is saved by itself.
  const saving = (how: string | undefined): Thenable<void> => vscode.workspace.getConfiguration('files').update('autoSave', how, vscode.ConfigurationTarget.Workspace);
  before(() => saving('off'));
  after(() => saving(undefined));

  it('is what a list of rollouts is, and is followed', async () => {
    const { rollouts: view } = await turnlens();
    const [first, second, third] = await lines();
    const uri = await write('typed.jsonl', `${first}\n${second}\n`);
    const { document } = await show(uri);
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    const listing = view.listing(uri.toString());
    await until('the rollouts', () => listing.rows.length === 2 || undefined);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), `${third?.replaceAll('Ravbrook', 'Elsewhere')}\n`);
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.isDirty, true);
    await until('the new rollout', () => listing.rows.length === 3 || undefined);
    await vscode.commands.executeCommand('turnlens.openTranscript', uri, 0);
    const { document: transcript } = await transcriptInFront(uri, 0);
    assert.match(transcript.getText(), /Elsewhere/);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    await untilEqual('its line', () => [vscode.window.activeTextEditor?.document.uri.toString(), vscode.window.activeTextEditor?.selection.active.line], [uri.toString(), 0]);
    await revert();
    await until('what is on disk', () => !transcript.getText().includes('Elsewhere') || undefined);
    await until('the rollouts on disk', () => listing.rows.length === 2 || undefined);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
    await closeAll();
    await vscode.workspace.fs.delete(uri);
  });

  it('is scored where it was never saved', async () => {
    const { scores } = await turnlens();
    const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content: `${(await lines()).slice(0, 2).join('\n')}\n` });
    await vscode.window.showTextDocument(document);
    await lensesWith(document.uri, /Record 1: open transcript/);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', document.uri, 1), true);
    assert.ok(scores.get({ source: document.uri.toString(), record: 1 }));
    const transcript = await transcriptInFront(document.uri, 1);
    await lensesWith(transcript.document.uri, /^▲|outcome/);
    lineWith(transcript.document, 'search:');
    assert.deepEqual(messages.said, []);
    await vscode.commands.executeCommand('turnlens.clearScores', document.uri);
    await vscode.window.showTextDocument(document);
    await revert();
  });
});
