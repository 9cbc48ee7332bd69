import * as assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Listing } from '../../src/editor/rollouts/listing';
import type { RolloutsView } from '../../src/editor/rollouts/view';
import { transcriptUri } from '../../src/editor/transcripts';
import { closeAll, inFront, inWorkspace, show, turnlens, until, useMessages, write } from './editorHelpers';

const labels = async (view: RolloutsView, node?: Parameters<RolloutsView['getChildren']>[0]): Promise<string[]> =>
  view.getChildren(node).map((child) => String(view.getTreeItem(child).label));

/** The list of a file, once all of it is read. */
async function wholeList(view: RolloutsView, uri: vscode.Uri): Promise<Listing> {
  const listing = view.listing(uri.toString());
  listing.start();
  await listing.settled();
  assert.equal(listing.progress.kind, 'read');
  return listing;
}

/** A list that is read anew and stopped at its beginning. */
async function stopAnew(listing: Listing): Promise<void> {
  listing.reset();
  listing.stop();
  await listing.settled();
  assert.equal(listing.progress.kind, 'partial');
}

describe('the Rollouts view', () => {
  afterEach(closeAll);

  it('lists the rollouts of an open file under their questions', async () => {
    await show(inWorkspace('group.jsonl'));
    const { rollouts: view } = await turnlens();
    const source = inWorkspace('group.jsonl').toString();
    const file = await until('the file', () => view.getChildren().find((node) => node.source === source));
    assert.equal((await wholeList(view, inWorkspace('group.jsonl'))).rows.length, 40);
    const questions = view.getChildren(file);
    assert.equal(questions.length, 8);
    assert.ok(questions.every((node) => node.kind === 'question' && node.group.rollouts.length === 5));
    assert.deepEqual(await labels(view, questions[0]), ['#0 Ravbrook', '#1 Fensund', '#2 Ravbrook', '#3 Ravbrook', '#4 Ravbrook']);
    const [first] = view.getChildren(questions[0]);
    assert.ok(first);
    assert.match(String(view.getTreeItem(first).description), /^1\.00 · 2 turns/);
  });

  it('shows what was scored, and opens transcripts', async () => {
    const { rollouts: view } = await turnlens();
    const uri = inWorkspace('group.jsonl');
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    const file = await until('the file', () => view.getChildren().find((node) => node.source === uri.toString()));
    await wholeList(view, uri);
    const [rollout] = view.getChildren(view.getChildren(file)[0]);
    assert.ok(rollout);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreListed', rollout), true);
    const [again] = view.getChildren(view.getChildren(file)[0]);
    assert.ok(again);
    assert.match(String(view.getTreeItem(again).description), /Σr \+0\.50 · best 2 \(\+0\.50\)/);
    await inFront('turnlens-transcript');
    await vscode.commands.executeCommand('turnlens.clearScores', uri);
  });

  it('scores a question with all its rollouts, and moves to a rollout from its transcript', async () => {
    const { rollouts: view, scores } = await turnlens();
    const uri = inWorkspace('group.jsonl');
    await vscode.commands.executeCommand('turnlens.clearScores', uri);
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    await wholeList(view, uri);
    view.arrangement = { ...view.arrangement, text: '#6' };
    const [question] = view.getChildren(await until('the file', () => view.getChildren().find((node) => node.source === uri.toString())));
    assert.ok(question?.kind === 'question');
    assert.equal(view.getChildren(question).length, 1);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreListed', question), true);
    const scopes = [5, 6, 7, 8, 9].map((record) => scores.get({ source: uri.toString(), record })?.scores.group.rollouts);
    assert.deepEqual(scopes, [5, 5, 5, 5, 5]);
    assert.equal(scores.get({ source: uri.toString(), record: 0 }), undefined);
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.scheme, 'turnlens-transcript');
    await vscode.commands.executeCommand('turnlens.showAllRollouts');
    await vscode.commands.executeCommand('turnlens.openTranscript', { kind: 'rollout', source: uri.toString(), record: 7 });
    await vscode.commands.executeCommand('turnlens.showInRollouts');
    await until('the rollout', () => view.selected.some((node) => node.kind === 'rollout' && node.record === 7) || undefined);
    await vscode.commands.executeCommand('turnlens.clearScores', uri);
  });

  it('moves to the line of a sub-agent’s transcript, however often the view is drawn anew meanwhile', async () => {
    const { rollouts: view } = await turnlens();
    const step = (step_id: number, more: object): object => ({ step_id, source: 'agent', message: 'I look.', ...more });
    const document = (message: string, more: object): object => ({ schema_version: 'ATIF-v1.7', agent: { name: 'searcher', version: '1' }, steps: [{ step_id: 1, source: 'user', message }, step(2, {})], ...more });
    const lines = Array.from({ length: 30 }, (_, i) => JSON.stringify(document(`Question ${i}?`, { subagent_trajectories: [document('Find it.', { trajectory_id: 't1' })] })));
    const uri = await write('agents.jsonl', `${lines.join('\n')}\n`);
    const drawn = setInterval(() => (view.arrangement = { ...view.arrangement }), 40);
    try {
      for (const record of [21, 4, 28]) {
        await vscode.commands.executeCommand('turnlens.showInRollouts', transcriptUri({ source: uri.toString(), record, line: 'searcher' }));
        assert.deepEqual(view.selected.map((node) => (node.kind === 'line' ? [node.record, node.row.line] : node.kind)), [[record, 'searcher']]);
      }
    } finally {
      clearInterval(drawn);
    }
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
    await vscode.workspace.fs.delete(uri);
  });

  it('opens a record that cannot be read as it is written', async () => {
    const { rollouts: view } = await turnlens();
    const lines = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n');
    const uri = await write('torn.jsonl', `${lines[0]}\n${lines[1]?.slice(0, 60)}\n${lines[2]}\n`);
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    await wholeList(view, uri);
    const [damaged] = view.getChildren({ kind: 'file', source: uri.toString(), record: 0 });
    assert.ok(damaged?.kind === 'question');
    assert.equal(damaged.group.key, 'damaged');
    const [record] = view.getChildren(damaged);
    assert.ok(record);
    const { command } = view.getTreeItem(record);
    assert.equal(command?.command, 'turnlens.revealInSource');
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    const editor = await until('the source', () => (vscode.window.activeTextEditor?.document.uri.toString() === uri.toString() ? vscode.window.activeTextEditor : undefined));
    await until('the line', () => editor.selection.active.line === 1 || undefined);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
  });

  it('follows a file that is being written', async () => {
    const { rollouts: view } = await turnlens();
    const lines = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n');
    const uri = await write('growing.jsonl', `${lines[0]}\n`);
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    const listing = await wholeList(view, uri);
    assert.equal(listing.rows.length, 1);
    await appendFile(uri.fsPath, `${lines[1]}\n${lines[2]}\n`);
    await until('the new rollouts', () => listing.rows.length === 3 || undefined);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
    await vscode.workspace.fs.delete(uri);
  });

  it('scores all rollouts of a question before the list is whole', async () => {
    const { rollouts: view, scores } = await turnlens();
    const lines = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n');
    const uri = await write('stopped.jsonl', `${lines.slice(0, 7).join('\n')}\n`);
    const file = { kind: 'file', source: uri.toString(), record: 0 } as const;
    const listing = await wholeList(view, uri);
    const [question] = view.getChildren(file);
    assert.ok(question?.kind === 'question');
    await stopAnew(listing);
    const shown = (): unknown => [view.getTreeItem(file).contextValue, view.getTreeItem(file).description];
    assert.deepEqual(shown(), ['partial', `stopped at ${listing.rows.length} of 7`]);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreListed', question), true);
    const scopes = [0, 1, 2, 3, 4, 5].map((record) => scores.get({ source: uri.toString(), record })?.scores.group.rollouts);
    assert.deepEqual(scopes, [5, 5, 5, 5, 5, undefined]);
    await vscode.commands.executeCommand('turnlens.readMoreRollouts', file);
    await listing.settled();
    assert.deepEqual(shown(), ['file', '7 rollouts']);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', file);
    await vscode.workspace.fs.delete(uri);
  });

  it('reads a question before the list is whole under the progress of the run, whose cancel stops it', async () => {
    const { rollouts: view, scores } = await turnlens();
    const lines = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).trim().split('\n');
    const uri = await write('cancelled.jsonl', `${Array.from({ length: 50 }, () => lines).flat().join('\n')}\n`);
    const file = { kind: 'file', source: uri.toString(), record: 0 } as const;
    const listing = await wholeList(view, uri);
    const [question] = view.getChildren(file);
    await stopAnew(listing);
    const { withProgress } = vscode.window;
    const said: string[] = [];
    const watched: typeof withProgress = (options, task) =>
      withProgress(options, (progress, token) => {
        const stop = new vscode.CancellationTokenSource();
        token.onCancellationRequested(() => stop.cancel());
        const report: typeof progress.report = (step) => {
          said.push((step as { message?: string }).message ?? '');
          stop.cancel();
        };
        return task({ report }, stop.token);
      });
    Object.assign(vscode.window, { withProgress: watched });
    try {
      assert.equal(await vscode.commands.executeCommand('turnlens.rescoreListed', question), false);
      assert.match(said.join('\n'), /found so far|of 2000 rollouts read/);
      assert.equal(scores.holds(uri.toString()), false);
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', file);
    await vscode.workspace.fs.delete(uri);
  });

  it('shows as stale what was scored of a record that is another now, whether or not it is open', async () => {
    const { rollouts: view, scores } = await turnlens();
    const lines = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n');
    const uri = await write('anew.jsonl', `${lines.slice(0, 3).join('\n')}\n`);
    const file = { kind: 'file', source: uri.toString(), record: 0 } as const;
    await wholeList(view, uri);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreListed', file), true);
    const standing = (): unknown[] => [0, 1, 2].map((record) => scores.get({ source: uri.toString(), record })?.freshness);
    assert.deepEqual(standing(), ['fresh', 'fresh', 'fresh']);
    await write('anew.jsonl', `${lines.slice(0, 3).join('\n').replaceAll('founder', 'first owner')}\n`);
    await until('stale figures', () => standing().every((each) => each === 'stale') || undefined);
    await vscode.commands.executeCommand('turnlens.clearScores', uri);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', file);
    await vscode.workspace.fs.delete(uri);
  });

  it('lists an open file that is filled later', async () => {
    const { rollouts: view } = await turnlens();
    view.getChildren();
    const uri = await write('filled.jsonl', '');
    const { document } = await show(uri);
    const lines = await readFile(inWorkspace('group.jsonl').fsPath);
    assert.ok(!view.getChildren().some((node) => node.source === uri.toString()));
    await vscode.workspace.fs.writeFile(uri, lines);
    await until('the text', () => document.getText().length > 0 || undefined);
    await until('the file', () => view.getChildren().some((node) => node.source === uri.toString()) || undefined);
    await closeAll();
    await vscode.workspace.fs.delete(uri);
  });

  it('tells files of one name by their folders', async () => {
    const { rollouts: view } = await turnlens();
    const lines = await readFile(inWorkspace('group.jsonl').fsPath);
    const files = [await write('one/same.jsonl', lines), await write('two/same.jsonl', lines)];
    for (const uri of files) await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    const described = view.getChildren().map((node) => view.getTreeItem(node)).flatMap(({ label, description }) => (label === 'same.jsonl' ? [String(description).split(' · ')[0]] : []));
    assert.deepEqual(described, ['one', 'two']);
    for (const uri of files) await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
  });

  it('leaves out an open file that was removed, until it is opened again', async () => {
    const { rollouts: view } = await turnlens();
    const uri = await write('removed.jsonl', await readFile(inWorkspace('group.jsonl').fsPath));
    const listed = (): boolean => view.getChildren().some((node) => node.source === uri.toString());
    await show(uri);
    await until('the file', () => listed() || undefined);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source: uri.toString(), record: 0 });
    const other = await write('other.jsonl', await readFile(inWorkspace('group.jsonl').fsPath));
    await show(other);
    await until('the other file', () => view.getChildren().some((node) => node.source === other.toString()) || undefined);
    await show(uri);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until('the tab to close', () => !vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.label === 'removed.jsonl')) || undefined);
    assert.equal(listed(), false);
    await show(uri);
    await until('the file again', () => listed() || undefined);
    await closeAll();
    for (const written of [uri, other]) await vscode.workspace.fs.delete(written);
  });
});

describe('a rollout that the Rollouts view does not list', () => {
  const messages = useMessages();
  const showInRollouts = (source: string, record: number): Thenable<unknown> => vscode.commands.executeCommand('turnlens.showInRollouts', transcriptUri({ source, record }));
  afterEach(() => vscode.commands.executeCommand('turnlens.showAllRollouts'));
  const selected = (view: RolloutsView): unknown[] => view.selected.map((node) => (node.kind === 'rollout' ? node.record : node.kind));

  it('is said to be hidden by the filter, and shown by the button that clears it', async () => {
    const { rollouts: view } = await turnlens();
    const source = inWorkspace('group.jsonl').toString();
    view.arrangement = { ...view.arrangement, text: '#6' };
    await showInRollouts(source, 7);
    assert.deepEqual([messages.said, view.arrangement.text], [['The filter hides record 7 of group.jsonl.'], '#6']);
    messages.answer = (_, [button]) => button;
    await showInRollouts(source, 7);
    assert.deepEqual([messages.said.length, selected(view), view.arrangement.text], [2, [7], '']);
  });

  it('is read by a button where the list was stopped before it', async () => {
    const { rollouts: view } = await turnlens();
    const uri = await write('short.jsonl', await readFile(inWorkspace('group.jsonl').fsPath));
    const file = { kind: 'file', source: uri.toString(), record: 0 } as const;
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    await stopAnew(await wholeList(view, uri));
    messages.answer = (_, [button]) => button;
    await showInRollouts(uri.toString(), 31);
    assert.match(messages.said.join(), /^The list does not reach record 31 of short\.jsonl yet: \d+ of 40 are read\.$/);
    assert.deepEqual(selected(view), [31]);
    await showInRollouts(uri.toString(), 40);
    assert.equal(messages.said[1], 'short.jsonl has no record 40; it holds 40.');
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', file);
    await vscode.workspace.fs.delete(uri);
  });
});
