import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, hoverAt, inWorkspace, lenses, lensesWith, lineWith, show, turnlens, until, write } from './editorHelpers';

const harmful = 'harmful-turn.traj';
const up = '▲ +0.50 reward · γ 0.00→1.00 · Δ +7.12 · Ã +1.19';
const down = '▼ −0.50 reward · γ 1.00→0.00 · Δ −3.42 · Ã −1.26';

describe('a trajectory in its source', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace(harmful));
    await closeAll();
  });

  it('has its lenses where its turns are as soon as lines are put before them', async () => {
    const uri = await write('edited.traj', await vscode.workspace.fs.readFile(inWorkspace('two-hop.traj')));
    const { document } = await show(uri);
    const lineOf = (seen: Awaited<ReturnType<typeof lenses>>): number | undefined => seen.find(({ title }) => title === 'Re-score')?.line;
    const before = lineOf(await lensesWith(uri, /^Re-score$/)) ?? 0;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '// one\n// two\n// three\n');
    await vscode.workspace.applyEdit(edit);
    assert.equal(lineOf(await lenses(uri)), before + 3);
    await document.save();
    await vscode.workspace.fs.delete(uri);
  });

  it('is scored by one command, and its turns say what they were worth', async () => {
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace(harmful));
    const { document } = await show(inWorkspace(harmful));
    assert.deepEqual((await lensesWith(document.uri, /not scored/)).map((l) => l.title), ['3 turns, not scored', 'Re-score', 'Open transcript']);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
    const seen = await lensesWith(document.uri, /▲/);
    assert.deepEqual(seen.slice(3).map((l) => l.title), [up, down]);
    assert.match(seen[0]?.title ?? '', /outcome 0\.00 · γ 0\.00→0\.00 · Σr 0\.00 · .*Ã over this trajectory alone \(3 eligible turns\)/);
    assert.deepEqual(seen.slice(3).map((l) => l.line), [2, 3].map((n) => lineWith(document, '"search":', n) - 2));
  });

  it('explains every figure in the hover of the query', async () => {
    const { document } = await show(inWorkspace(harmful));
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const text = await hoverAt(document.uri, lineWith(document, '"search":', 3), 10);
    for (const part of [down, 'Jasper Weber', 'Ines Ferrara', '0.5 × (0.0000 − 1.0000) = −0.5000', 'Δ₃', '−3.4226', '−0.7616', '−1.2563', 'kept', 'sha256:', 'cpu', 'token F1']) {
      assert.ok(text.includes(part), `${part} in\n${text}`);
    }
  });

  it('goes from spike to spike', async () => {
    const editor = await show(inWorkspace(harmful));
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const lines: number[] = [];
    for (let i = 0; i < 3; i++) {
      await vscode.commands.executeCommand('turnlens.nextSpike');
      lines.push(editor.selection.active.line);
    }
    const [second, third] = [2, 3].map((n) => lineWith(editor.document, '"search":', n));
    assert.deepEqual(lines, [second, third, second]);
  });

  it('goes stale with an edit of its text, and fresh again with its undoing; formatting stales nothing', async () => {
    const editor = await show(inWorkspace(harmful));
    const { document } = editor;
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const { scores } = await turnlens();
    const rollout = { source: document.uri.toString(), record: 0 };
    const freshness = (): string | undefined => scores.get(rollout)?.freshness;

    const reckoned = new Promise<void>((resolve) => {
      const heard = scores.onDidChange(() => resolve(heard.dispose()));
    });
    await editor.edit((e) => e.insert(new vscode.Position(1, 0), '// a comment\n\n'));
    await reckoned;
    assert.equal(freshness(), 'fresh');
    const before = await lenses(document.uri);

    const line = lineWith(document, '"result":', 2);
    await editor.edit((e) => e.insert(new vscode.Position(line, document.lineAt(line).text.lastIndexOf('"')), ' More.'));
    await until('stale', () => (freshness() === 'stale' ? true : undefined));
    const after = await lenses(document.uri);
    assert.deepEqual(after.map((l) => l.line), before.map((l) => l.line));
    assert.deepEqual(after.slice(3).map((l) => l.title), [`stale · ${up}`, `stale · ${down}`]);

    await vscode.commands.executeCommand('undo');
    await until('fresh', () => (freshness() === 'fresh' ? true : undefined));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('takes a changed setting of arithmetic at once, without the policy', async () => {
    const { document } = await show(inWorkspace(harmful));
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const settings = vscode.workspace.getConfiguration('turnlens');
    await settings.update('alpha', 1, vscode.ConfigurationTarget.Workspace);
    try {
      await lensesWith(document.uri, /^▼ −1\.00 reward/);
    } finally {
      await settings.update('alpha', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await lensesWith(document.uri, /^▼ −0\.50 reward/);
  });

  it('is known again without the policy, as in a later session', async () => {
    const { document } = await show(inWorkspace(harmful));
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const { scores, session } = await turnlens();
    await closeAll();
    await session.close();
    scores.clear(document.uri.toString());
    const again = await until('what is kept of the policy', () => session.recall());
    assert.ok(await again.identity());
    // A document of its own: the first one may still be in the editor's memory.
    const copy = inWorkspace('same-text.traj');
    await vscode.workspace.fs.copy(inWorkspace(harmful), copy, { overwrite: true });
    await show(copy);
    await lensesWith(copy, /^▲ \+0\.50 reward/);
    assert.equal(session.state.kind, 'unloaded');
  });

  it('shows no score after Clear Scores, not even when it is opened again', async () => {
    const { document } = await show(inWorkspace(harmful));
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    await vscode.commands.executeCommand('turnlens.clearScores');
    await lensesWith(document.uri, /not scored/);
    await closeAll();
    await show(inWorkspace(harmful));
    await lensesWith(inWorkspace(harmful), /not scored/);
  });
});
