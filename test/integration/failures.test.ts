import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { childrenWith, knowsProcesses } from '../support/childProcesses';
import { inWorkspace, lensesWith, show, turnlens, until, useMessages } from './editorHelpers';

const long = inWorkspace('long.traj');

const policyProcesses = (): number[] => childrenWith('policyProcess.js');

type WithProgress = typeof vscode.window.withProgress;

/** Calls `during` with each message of the next progress, which it can cancel. */
function watchProgress(during: (message: string, cancel: () => void) => void): void {
  const original: WithProgress = vscode.window.withProgress;
  const watched: WithProgress = (options, task) => {
    Object.assign(vscode.window, { withProgress: original });
    return original(options, (progress) => {
      const source = new vscode.CancellationTokenSource();
      return task({ report: (value) => { progress.report(value); during(value.message ?? '', () => source.cancel()); } }, source.token);
    });
  };
  Object.assign(vscode.window, { withProgress: watched });
}

describe('a re-score that does not come to its end', () => {
  const messages = useMessages();
  afterEach(() => vscode.commands.executeCommand('turnlens.clearScores', long));

  it('is cancelled without a word, and goes on with the next', async () => {
    const { document } = await show(long);
    watchProgress((message, cancel) => { if (/\d of 7 turns/.test(message)) cancel(); });
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), false);
    assert.deepEqual(messages.said, []);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
    await lensesWith(document.uri, /outcome 1\.00/);
  });

  it('says once that the process ended; Restart scores', async function () {
    if (!knowsProcesses) this.skip();
    const { document } = await show(long);
    messages.answer = (_message, actions) => actions.find((a) => a === 'Restart');
    let killed = 0;
    watchProgress((message) => {
      if (killed > 0 || !/\d of 7 turns/.test(message)) return;
      for (const pid of policyProcesses()) { process.kill(pid, 'SIGKILL'); killed++; }
    });
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), false);
    assert.equal(killed, 1);
    await lensesWith(document.uri, /outcome 1\.00/);
    assert.equal(messages.said.length, 1, messages.said.join('\n'));
    assert.match(messages.said[0] ?? '', /^[^\n]+\.$/);
  });

  it('that ended while nothing ran is started again by the next re-score', async function () {
    if (!knowsProcesses) this.skip();
    const { document } = await show(long);
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    for (const pid of policyProcesses()) process.kill(pid, 'SIGKILL');
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), true);
    await lensesWith(document.uri, /outcome 1\.00/);
    assert.deepEqual(messages.said, []);
  });

  it('asks once whether to wait when the policy hangs; Restart scores, and what was finished is kept', async () => {
    const { document } = await show(long);
    const { session } = await turnlens();
    const usual = session.run;
    session.run = { processPath: path.join(__dirname, 'faultyPolicyProcess.js'), patience: { floorMs: 3000, factor: 10 } };
    let progress = '';
    watchProgress((message) => { progress = message; });
    const choices = ['Wait', 'Restart'];
    // What is asked while the policy is still loaded is not of this hang.
    messages.answer = (_message, actions) => (!actions.includes('Wait') ? undefined : /of 7 turns/.test(progress) ? choices.shift() : 'Wait');
    writeFileSync(path.join(__dirname, 'fault'), 'hang 2');
    try {
      assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), false);
      assert.deepEqual(choices, []);
      for (const message of messages.said) assert.match(message, /^The policy has not answered for \d+ seconds\.$/);
      assert.match(progress, /^[0-6] of 7 turns$/);
      await lensesWith(document.uri, /outcome 1\.00/);
      assert.equal(session.state.kind, 'ready');
    } finally {
      session.run = usual;
    }
  });

  it('says what a folder lacks that is no policy', async () => {
    await show(long);
    const { session } = await turnlens();
    await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache');
    assert.ok(session.loaded);
    const folder = mkdtempSync(path.join(tmpdir(), 'turnlens-no-policy-'));
    const settings = vscode.workspace.getConfiguration('turnlens');
    await settings.update('policy', folder, vscode.ConfigurationTarget.Workspace);
    try {
      assert.equal(session.loaded, undefined, 'what the policy before it is says nothing of this one');
      assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), false);
      assert.equal(messages.said.length, 1);
      assert.match(messages.said[0] ?? '', /holds no ONNX graph/);
      await vscode.commands.executeCommand('turnlens.showPolicy');
      // The editor asks for the text of a report that is open already a moment later.
      await until('the reason', () => /^Device: none, the policy does not load[^]*holds no ONNX graph/.test(vscode.window.activeTextEditor?.document.getText() ?? '') || undefined);
      await show(long);
    } finally {
      await settings.update('policy', undefined, vscode.ConfigurationTarget.Workspace);
      rmSync(folder, { recursive: true });
    }
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
  });
});
