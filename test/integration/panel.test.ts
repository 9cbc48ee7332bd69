import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { transcriptUri } from '../../src/editor/transcripts';
import { closeAll, inWorkspace, lensesWith, lineWith, show, turnlens, until, untilEqual, write } from './editorHelpers';

async function openTranscriptIn(viewColumn: vscode.ViewColumn, file: vscode.Uri): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(transcriptUri({ source: file.toString(), record: 0 }));
  const editor = await vscode.window.showTextDocument(document, { viewColumn, preview: false });
  await lensesWith(document.uri, /2 turns/);
  return editor;
}

describe('the panel', () => {
  afterEach(closeAll);

  it('opens beside the editor, and its page gets what the editor shows', async () => {
    const { panel } = await turnlens();
    await show(inWorkspace('two-hop.traj'));
    await vscode.commands.executeCommand('turnlens.openPanel');
    await until('a tab', () => vscode.window.tabGroups.all.flatMap((g) => g.tabs).some((t) => t.input instanceof vscode.TabInputWebview) || undefined);
    const first = await until('a snapshot', () => (panel.sent?.kind === 'trajectory' && panel.sent.title === 'two-hop.traj, record 0' ? panel.sent : undefined));
    assert.match(first.summary, /not scored/);
    assert.equal(first.turns.length, 2);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', inWorkspace('two-hop.traj')), true);
    const scored = await until('figures', () => (panel.sent?.kind === 'trajectory' && panel.sent.states.length === 3 ? panel.sent : undefined));
    assert.ok(scored.turns.some((turn) => turn.shape === '▲'));
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace('two-hop.traj'));
  });

  it('names the line of a record that it shows', async () => {
    const { panel } = await turnlens();
    const step = { step_id: 2, source: 'agent', message: 'I look.', tool_calls: [{ tool_call_id: 'c', function_name: 'search', arguments: { query: 'q' } }], observation: { results: [{ source_call_id: 'c', content: 'r' }] } };
    const document = (message: string, more: object): object => ({ schema_version: 'ATIF-v1.7', agent: { name: 'searcher', version: '1' }, steps: [{ step_id: 1, source: 'user', message }, step], ...more });
    const source = (await write('agents.jsonl', `${JSON.stringify(document('Who?', { subagent_trajectories: [document('Find it.', { trajectory_id: 't1' })] }))}\n`)).toString();
    await show(inWorkspace('two-hop.traj'));
    await vscode.commands.executeCommand('turnlens.openPanel');
    for (const [line, title] of [[undefined, 'agents.jsonl, record 0'], ['searcher', 'agents.jsonl, record 0, searcher']] as const) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(transcriptUri({ source, record: 0, ...(line && { line }) })), { viewColumn: vscode.ViewColumn.One, preview: false });
      await until(`the title ${title}`, () => (panel.sent?.kind === 'trajectory' && panel.sent.title === title) || undefined);
    }
  });

  it('follows the cursor of the column in front, and moves where its document is, in whatever column', async () => {
    const { panel } = await turnlens();
    const uri = inWorkspace('group.jsonl');
    const { document } = await openTranscriptIn(vscode.ViewColumn.One, uri);
    const second = await openTranscriptIn(vscode.ViewColumn.Two, uri);
    await vscode.commands.executeCommand('turnlens.openPanel');
    await openTranscriptIn(vscode.ViewColumn.Two, uri);
    const shown = (turn: number): boolean | undefined => (panel.sent?.kind === 'trajectory' && panel.sent.selected === turn) || undefined;
    const to = (line: number): void => {
      second.selection = new vscode.Selection(line, 0, line, 0);
    };
    to(lineWith(document, 'search: Adele Ulmer'));
    await until('the second turn', () => shown(2));
    to(lineWith(document, 'search: Egger'));
    await until('the first turn', () => shown(1));
    await closeAll();

    await openTranscriptIn(vscode.ViewColumn.Two, uri);
    const notes = await write('notes.md', '# Notes\n');
    await vscode.window.showTextDocument(notes, { viewColumn: vscode.ViewColumn.One, preview: false });
    await vscode.window.showTextDocument(notes, { viewColumn: vscode.ViewColumn.Two, preview: false });
    await panel.select(2);
    const tabs = (): string[][] => vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label, isActive }) => `${label}${isActive ? '*' : ''}`));
    await untilEqual('its tab in front', tabs, [['notes.md*'], ['group.jsonl · record 0.transcript*', 'notes.md']]);
  });
});
