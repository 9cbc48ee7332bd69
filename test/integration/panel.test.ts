import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, inWorkspace, show, turnlens, until } from './editorHelpers';

describe('the panel', () => {
  afterEach(closeAll);

  it('opens beside the editor, and its page gets what the editor shows', async () => {
    const { panel } = await turnlens();
    await show(inWorkspace('two-hop.traj'));
    await vscode.commands.executeCommand('turnlens.openPanel');
    await until('a tab', () => vscode.window.tabGroups.all.flatMap((g) => g.tabs).some((t) => t.input instanceof vscode.TabInputWebview) || undefined);
    const first = await until('a snapshot', () => (panel.sent?.kind === 'trajectory' ? panel.sent : undefined));
    assert.equal(first.title, 'two-hop.traj, record 0');
    assert.match(first.summary, /not scored/);
    assert.equal(first.turns.length, 2);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', inWorkspace('two-hop.traj')), true);
    const scored = await until('figures', () => (panel.sent?.kind === 'trajectory' && panel.sent.states.length === 3 ? panel.sent : undefined));
    assert.ok(scored.turns.some((turn) => turn.shape === '▲'));
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace('two-hop.traj'));
  });
});
