import * as assert from 'node:assert/strict';
import { existsSync, readFileSync, readlinkSync, readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { closeAll, inFront, inWorkspace, lensesWith, show, turnlens } from './editorHelpers';

/** Files that this process holds open or has mapped; Linux alone tells. */
function filesInUse(): string[] {
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return [...open, ...readFileSync('/proc/self/maps', 'utf8').split('\n')];
}

describe('activation', () => {
  afterEach(closeAll);

  it('loads no ONNX, reads no policy and starts no process', async () => {
    const { session } = await turnlens();
    await show(inWorkspace('harmful-turn.traj'));
    await lensesWith(inWorkspace('harmful-turn.traj'), /not scored|outcome/);
    assert.deepEqual(Object.keys(require.cache).filter((file) => /onnxruntime|@huggingface/.test(file)), []);
    if (existsSync('/proc/self/maps')) assert.deepEqual(filesInUse().filter((file) => /onnxruntime|media\/policy/.test(file)), []);
    if (session.known === undefined) assert.equal(session.state.kind, 'unloaded');
  });

  it('registers every command it declares', async () => {
    const manifest = vscode.extensions.getExtension('turnlens.turnlens')?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(manifest.contributes.commands.map((c) => c.command).filter((c) => !registered.has(c)), []);
  });

  it('opens a copy of a sample, unsaved', async () => {
    await vscode.commands.executeCommand('turnlens.openSample', undefined, 'one-hop.traj');
    const { document } = await inFront('untitled');
    assert.equal(document.languageId, 'jsonc');
    await lensesWith(document.uri, /1 turn, not scored|outcome/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('gives .traj the language of JSON with comments', async () => {
    assert.equal((await show(inWorkspace('one-hop.traj'))).document.languageId, 'jsonc');
  });
});
