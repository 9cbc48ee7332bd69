import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { assertSentence, closeAll, inFront, inWorkspace, lensesWith, show, turnlens, until, useMessages, write } from './editorHelpers';

const onTrajectories = ['rescoreTrajectory', 'rescoreQuestion', 'rescoreFile', 'rescoreIgnoringCache', 'clearScores', 'nextSpike', 'previousSpike', 'explain', 'openTranscript', 'revealInSource', 'saveAsTraj'];

/** Stands in for a part of VS Code's API until the returned function is called. */
function stub(of: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { get: () => value, configurable: true });
  return () => {
    if (before) Object.defineProperty(of, name, before);
  };
}

describe('commands where they have nothing to work on', () => {
  const messages = useMessages();
  before(closeAll);

  for (const command of onTrajectories) {
    it(`${command} says so without an editor`, async () => {
      await vscode.commands.executeCommand(`turnlens.${command}`);
      assert.equal(messages.said.length, 1, messages.said.join('\n'));
      assertSentence(messages.said[0]);
    });

    it(`${command} says so on a document of another kind`, async () => {
      await show(await write('notes.json', '{"a": 1}'));
      await vscode.commands.executeCommand(`turnlens.${command}`);
      assert.equal(messages.said.length, 1, messages.said.join('\n'));
      assertSentence(messages.said[0]);
    });

    it(`${command} says so on a binary file in front`, async () => {
      await vscode.commands.executeCommand('vscode.open', await write('front.traj', Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 37) % 256))));
      await vscode.commands.executeCommand(`turnlens.${command}`);
      assert.equal(messages.said.length, 1, messages.said.join('\n'));
      assertSentence(messages.said[0]);
    });
  }

  it('next spike says that nothing is scored yet, and that nothing stands out', async () => {
    await show(inWorkspace('empty-search.traj'));
    await lensesWith(inWorkspace('empty-search.traj'), /turns?, not scored|outcome/);
    await vscode.commands.executeCommand('turnlens.nextSpike');
    assert.match(messages.said[0] ?? '', /not scored yet/);
  });
});

describe('Clear Scores', () => {
  it('is offered on a file and on every transcript of it once one of its rollouts has scores', async () => {
    const { scores } = await turnlens();
    const group = inWorkspace('group.jsonl');
    const { executeCommand } = vscode.commands;
    let offered: unknown;
    const listening = stub(vscode.commands, 'executeCommand', (command: string, ...given: unknown[]) => {
      if (command === 'setContext' && given[0] === 'turnlens.scored') offered = given[1];
      return executeCommand(command, ...given);
    });
    try {
      assert.equal(await executeCommand('turnlens.rescoreTrajectory', group, 3), true);
      for (const look of [() => show(group), () => executeCommand('turnlens.openTranscript', group, 4)]) {
        offered = undefined;
        await look();
        await until('the offer', () => offered === true || undefined);
      }
      await executeCommand('turnlens.clearScores');
      assert.deepEqual([offered, scores.holds(group.toString())], [false, false]);
    } finally {
      listening();
      await closeAll();
    }
  });
});

describe('Explain', () => {
  afterEach(closeAll);

  it('is offered where there are figures to explain, turn by turn, and nowhere else', async () => {
    const { executeCommand } = vscode.commands;
    let offered: unknown;
    const listening = stub(vscode.commands, 'executeCommand', (command: string, ...given: unknown[]) => {
      if (command === 'setContext' && given[0] === 'turnlens.figures') offered = given[1];
      return executeCommand(command, ...given);
    });
    const group = inWorkspace('group.jsonl');
    try {
      const { document } = await show(inWorkspace('two-hop.traj'));
      await lensesWith(document.uri, /not scored/);
      await until('no offer', () => offered === false || undefined);
      assert.equal(await executeCommand('turnlens.rescoreTrajectory', document.uri), true);
      await until('the offer', () => offered === true || undefined);
      assert.equal(await executeCommand('turnlens.rescoreTrajectory', group, 3), true);
      await until('the offer on the transcript', () => (vscode.window.activeTextEditor?.document.uri.scheme === 'turnlens-transcript' && offered === true) || undefined);
      await show(group);
      await until('no offer on the list', () => offered === false || undefined);
    } finally {
      listening();
      for (const uri of [group, inWorkspace('two-hop.traj')]) await executeCommand('turnlens.clearScores', uri);
    }
  });
});

describe('a restricted workspace', () => {
  const messages = useMessages();

  it('is looked at and not scored', async () => {
    const trust = stub(vscode.workspace, 'isTrusted', false);
    try {
      const { document } = await show(inWorkspace('two-hop.traj'));
      await lensesWith(document.uri, /2 turns, not scored/);
      for (const command of ['rescoreTrajectory', 'rescoreQuestion', 'rescoreFile', 'rescoreIgnoringCache']) {
        assert.equal(await vscode.commands.executeCommand(`turnlens.${command}`), false);
      }
      assert.deepEqual(messages.said, Array.from({ length: 4 }, () => 'In a restricted workspace trajectories can be read, not scored: scoring runs a policy.'));
      await vscode.commands.executeCommand('turnlens.openTranscript');
      await inFront('turnlens-transcript');
    } finally {
      trust();
    }
  });
});

describe('Select Policy', () => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('turnlens');
  const messages = useMessages();
  afterEach(() => settings().update('policy', undefined, vscode.ConfigurationTarget.Global));

  async function choose(label: string, folder?: vscode.Uri): Promise<unknown> {
    const pick = stub(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => items.find((i) => i.label === label));
    const dialog = stub(vscode.window, 'showOpenDialog', async () => folder && [folder]);
    try {
      return await vscode.commands.executeCommand('turnlens.selectPolicy');
    } finally {
      pick();
      dialog();
    }
  }

  it('takes any folder, and scores with it', async () => {
    const extension = vscode.extensions.getExtension('turnlens.turnlens');
    assert.ok(extension);
    const folder = inWorkspace('my-policy');
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(extension.extensionUri, 'media', 'policy'), folder, { overwrite: true });
    assert.equal(await choose('Browse…', folder), true);
    assert.equal(settings().get('policy'), folder.fsPath);
    const { session } = await turnlens();
    await show(inWorkspace('one-hop.traj'));
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
    assert.equal(session.policyName, 'my-policy');
    await lensesWith(inWorkspace('one-hop.traj'), /outcome/);
    assert.equal(await choose('Demo policy'), true);
    assert.equal(settings().get('policy'), '');
    assert.deepEqual(messages.said, []);
  });

  it('gives the export command for a checkpoint without ONNX', async () => {
    const folder = inWorkspace('checkpoint');
    await vscode.workspace.fs.createDirectory(folder);
    for (const name of ['config.json', 'tokenizer.json', 'model.safetensors']) await write(`checkpoint/${name}`, '{}');
    messages.answer = (_message, actions) => actions.find((a) => a === 'Copy Command');
    assert.equal(await choose('Browse…', folder), false);
    assert.match(messages.said[0] ?? '', /optimum-cli export onnx/);
    const copied = await until('the command', async () => (await vscode.env.clipboard.readText()).match(/^optimum-cli export onnx.*checkpoint/)?.[0]);
    assert.ok(copied);
  });

  it('changes nothing where nothing is chosen', async () => {
    assert.equal(await choose('nothing of the kind'), false);
    assert.equal(await choose('Browse…'), false);
    assert.equal(settings().get('policy'), '');
  });
});

describe('Show Policy and Device', () => {
  afterEach(closeAll);

  it('tells where the policy runs and why, and follows it', async () => {
    const { session } = await turnlens();
    await session.close();
    await vscode.commands.executeCommand('turnlens.showPolicy');
    const { document } = await inFront('turnlens-policy');
    assert.ok(document.getText().includes(session.folder), document.getText());
    assert.match(document.getText(), /not known before the policy is loaded/);
    await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache', inWorkspace('one-hop.traj'));
    await until('the device', () => /\bcpu\b/.test(document.getText()) && !/not known before the policy is loaded/.test(document.getText()) || undefined);
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace('one-hop.traj'));
  });
});
