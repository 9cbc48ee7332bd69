import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeAll, hoverAt, inWorkspace, lenses, lensesWith, lineWith, show, until, write } from './editorHelpers';

const group = 'group.jsonl';

async function openRecord(record: number, file = inWorkspace(group)): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand('turnlens.openTranscript', file, record);
  return until('a transcript in front', () => {
    const editor = vscode.window.activeTextEditor;
    const { scheme, path } = editor?.document.uri ?? {};
    // What was closed just now may still be the active one.
    return scheme === 'turnlens-transcript' && path?.includes(`/${file.path.split('/').at(-1) ?? ''} · record ${record}.`) ? editor : undefined;
  });
}

describe('a record of a rollout dump', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('turnlens.clearScores', inWorkspace(group));
    await closeAll();
  });

  it('has a lens on its line', async () => {
    await show(inWorkspace(group));
    const seen = await lensesWith(inWorkspace(group), /Record 39/);
    assert.equal(seen.length, 80);
    assert.deepEqual(seen[2], { line: 1, title: 'Record 1: open transcript' });
  });

  it('opens as a read-only transcript with a language and an outline of its own', async () => {
    const { document } = await openRecord(0);
    assert.equal(document.languageId, 'turnlens-transcript');
    assert.equal(vscode.workspace.fs.isWritableFileSystem('turnlens-transcript'), false);
    await lensesWith(document.uri, /2 turns, not scored/);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
    assert.deepEqual(symbols.map((s) => [s.name, s.detail]), [
      ['Turn 1', 'Egger Industries\'s founder'],
      ['Turn 2', 'Adele Ulmer\'s school'],
      ['Answer', 'Ravbrook'],
    ]);
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', document.uri);
    assert.ok(folds.some((f) => /observation/.test(document.lineAt(f.start).text)));
  });

  it('is scored alone, and then with its question', async () => {
    const { document } = await openRecord(0);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
    const alone = await lensesWith(document.uri, /^▲/);
    assert.ok(alone.some((l) => l.title === '▲ +0.50 reward · γ 0.00→1.00 · Δ +11.56 · Ã +1.00'), JSON.stringify(alone));
    assert.match(alone[0]?.title ?? '', /Ã over this trajectory alone \(2 eligible turns\)/);

    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreQuestion'), true);
    const together = await lensesWith(document.uri, /the question’s 5 rollouts/);
    assert.ok(together.some((l) => l.title === '▲ +0.50 reward · γ 0.00→1.00 · Δ +11.56 · Ã +1.05'), JSON.stringify(together));
    const text = await hoverAt(document.uri, lineWith(document, 'search: Adele Ulmer'), 3);
    for (const part of ['+1.0534', '0.8230', 'the question’s 5 rollouts']) assert.ok(text.includes(part), `${part} in\n${text}`);
  });

  it('shows what was scored with it as well', async () => {
    await openRecord(0);
    await vscode.commands.executeCommand('turnlens.rescoreQuestion');
    const { document } = await openRecord(3);
    assert.ok((await lensesWith(document.uri, /the question’s 5 rollouts/)).length >= 5);
  });

  it('is scored with every question of the file', async () => {
    await openRecord(0);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreFile'), true);
    const { document } = await openRecord(39);
    await lensesWith(document.uri, /the question’s 5 rollouts/);
  });

  it('becomes an editable .traj with the same credit', async () => {
    await openRecord(0);
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    await vscode.commands.executeCommand('turnlens.saveAsTraj');
    const document = await until('a .traj', () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.uri.scheme === 'untitled' ? active : undefined;
    });
    assert.equal(document.languageId, 'jsonc');
    await lensesWith(document.uri, /^▲ \+0\.50 reward · γ 0\.00→1\.00 · Δ \+11\.56 · Ã \+1\.00$/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('follows its file', async () => {
    const line = (question: string): string => JSON.stringify({ input: `user\nQuestion: ${question}\nassistant\n`, output: '<search>a</search>\n\n<information>b</information>\n\n<answer> c </answer>', gts: { target: ['c'] }, score: 1, step: 1, uid: 'q' });
    const file = await write('followed.jsonl', `${line('first')}\n`);
    const { document } = await openRecord(0, file);
    assert.match(document.getText(), /first/);
    await write('followed.jsonl', `${line('second')}\n`);
    await until('the new text', () => (document.getText().includes('second') ? true : undefined));
    await lensesWith(document.uri, /1 turn, not scored/);
    assert.ok((await lenses(document.uri)).length >= 3);
  });

  it('leads back to its line', async () => {
    await openRecord(7);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), inWorkspace(group).toString());
    assert.equal(editor?.selection.active.line, 7);
  });
});

it('a minified .traj opens in its transcript', async () => {
  const text = Buffer.from(await vscode.workspace.fs.readFile(inWorkspace('harmful-turn.traj'))).toString('utf8');
  const file = await write('minified.traj', JSON.stringify(JSON.parse(text)));
  const { document } = await show(file);
  await lensesWith(document.uri, /Open transcript/);
  assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
  const shown = vscode.window.activeTextEditor?.document;
  assert.equal(shown?.uri.scheme, 'turnlens-transcript');
  await lensesWith(shown.uri, /^▼ −0\.50 reward · γ 1\.00→0\.00/);
  await closeAll();
});
