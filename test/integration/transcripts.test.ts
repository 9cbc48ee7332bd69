import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { closeAll, hoverAt, inFront, inWorkspace, lenses, lensesWith, lineWith, show, turnlens, until, untilEqual, useMessages, write } from './editorHelpers';

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

  it('is scored anew in the scope that it was last scored in', async () => {
    const { scores } = await turnlens();
    const of = (record: number) => scores.get({ source: inWorkspace(group).toString(), record })?.scores;
    await openRecord(0);
    await vscode.commands.executeCommand('turnlens.rescoreQuestion');
    const before = [0, 1, 5].map((record) => of(record)?.provenance.scoredAt);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), true);
    const [own, sibling, other] = [0, 1, 5].map(of);
    assert.deepEqual([own?.group.scope, own?.group.rollouts, sibling?.group.rollouts, other], ['question', 5, 5, undefined]);
    assert.notEqual(own?.provenance.scoredAt, before[0]);
    assert.notEqual(sibling?.provenance.scoredAt, before[1]);

    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    const untouched = of(1)?.provenance.scoredAt;
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreIgnoringCache'), true);
    assert.equal(of(0)?.group.scope, 'trajectory');
    assert.equal(of(1)?.provenance.scoredAt, untouched);
  });

  it('becomes an editable .traj with the same credit', async () => {
    await openRecord(0);
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
    await vscode.commands.executeCommand('turnlens.saveAsTraj');
    const { document } = await inFront('untitled');
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

  it('is that of the file as it is, whether or not anybody was told that it changed', async () => {
    const line = (question: string): string => `${JSON.stringify({ input: `user\nQuestion: ${question}\nassistant\n`, output: '<answer> c </answer>', gts: 'c', score: 1, step: 1 })}\n`;
    const file = await write('overwritten.jsonl', line('first'));
    const { document } = await openRecord(0, file);
    await writeFile(file.fsPath, line('second, and longer'));
    const shown = await vscode.workspace.fs.readFile(document.uri);
    assert.match(Buffer.from(shown).toString(), /second, and longer/);
  });

  it('is read anew in a dialect that the user adds', async () => {
    const output = '<plan>x</plan><ask>who is it</ask><found>D</found><reply>a</reply>';
    const file = await write('own.jsonl', `${JSON.stringify({ input: 'user\nQuestion: Who?\nassistant\n', output, gts: 'a', score: 1, step: 1 })}\n`);
    const { document } = await openRecord(0, file);
    assert.doesNotMatch(document.getText(), /search: who is it/);
    const native = (await show(await write('own.traj', JSON.stringify({ question: 'Who?', answers: ['a'], dialect: 'mine', turns: [{ text: output }] })))).document.uri;
    const isUnknown = (): boolean => vscode.languages.getDiagnostics(native).some(({ message }) => message.includes('No dialect is called "mine"'));
    await until('the problem', () => isUnknown() || undefined);
    const tags = { think: 'plan', search: 'ask', observation: 'found', answer: 'reply' };
    const dialect = { id: 'mine', tags: Object.fromEntries(Object.entries(tags).map(([kind, tag]) => [kind, { open: `<${tag}>`, close: `</${tag}>` }])) };
    const settings = vscode.workspace.getConfiguration('turnlens');
    await settings.update('dialects', [dialect], vscode.ConfigurationTarget.Workspace);
    try {
      await until('the new reading', () => !isUnknown() || undefined);
      await until('the new transcript', () => /search: who is it/.test(document.getText()) || undefined);
    } finally {
      await settings.update('dialects', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('leads back to its line', async () => {
    await openRecord(7);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    await untilEqual('its line', () => [vscode.window.activeTextEditor?.document.uri.toString(), vscode.window.activeTextEditor?.selection.active.line], [inWorkspace(group).toString(), 7]);
  });
});

it('a file is told by its name in any case', async () => {
  for (const [sample, name, lens] of [['two-hop.traj', 'UPPER.TRAJ', /2 turns, not scored/], [group, 'UPPER.JSONL', /Record 39/]] as const) {
    const { document } = await show(await write(name, await vscode.workspace.fs.readFile(inWorkspace(sample))));
    await lensesWith(document.uri, lens);
  }
  await closeAll();
});

it('a minified .traj opens in its transcript', async () => {
  const text = Buffer.from(await vscode.workspace.fs.readFile(inWorkspace('harmful-turn.traj'))).toString('utf8');
  const file = await write('minified.traj', JSON.stringify(JSON.parse(text)));
  const { document } = await show(file);
  await lensesWith(document.uri, /Open transcript/);
  assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
  const { document: shown } = await inFront('turnlens-transcript');
  await lensesWith(shown.uri, /^▼ −0\.50 reward · γ 1\.00→0\.00/);
  await closeAll();
});

describe('between a record and its transcript', () => {
  const messages = useMessages();
  const atCursor = (editor: vscode.TextEditor): string => editor.document.getText(new vscode.Range(editor.selection.active, editor.selection.active.translate(0, 30)));

  it('a cursor in a JSONL line lands at the same words of the right turn, and goes back', async () => {
    const source = await show(inWorkspace(group));
    const line = source.document.lineAt(2).text;
    const column = line.lastIndexOf('<search>') + '<search>'.length;
    source.selection = new vscode.Selection(2, column, 2, column);
    await vscode.commands.executeCommand('turnlens.openTranscript');
    const transcript = await inFront('turnlens-transcript');
    assert.match(transcript.document.uri.path, /record 2\.transcript$/);
    const query = line.slice(column, line.indexOf('</search>', column));
    assert.ok(atCursor(transcript).startsWith(query.slice(0, 30)), atCursor(transcript));
    assert.ok(transcript.selection.active.line > transcript.document.positionAt(transcript.document.getText().indexOf('Turn 2')).line);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    const back = await inFront('file');
    assert.deepEqual([back.selection.active.line, back.selection.active.character], [2, column]);
  });

  it('a heading leads to the turn it stands over', async () => {
    const { document } = await openRecord(3);
    const editor = await inFront('turnlens-transcript');
    const heading = document.positionAt(document.getText().indexOf('━━━ Turn 2'));
    editor.selection = new vscode.Selection(heading, heading);
    await lensesWith(document.uri, /turns, not scored|outcome/);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    const source = await inFront('file');
    const line = source.document.lineAt(3).text;
    assert.equal(source.selection.active.line, 3);
    const [, second = 0] = [...line.slice(line.indexOf('"output"')).matchAll(/<search>/g)].map(({ index }) => index + line.indexOf('"output"') + '<search>'.length);
    assert.equal(source.selection.active.character, second);
  });

  it('records of one line, and of a message each, are told apart', async () => {
    const chat = (question: string, query: string): unknown => ({
      question,
      answer: 'Ada',
      messages: [
        { role: 'user', content: question },
        { role: 'assistant', content: '', tool_calls: [{ id: '1', type: 'function', function: { name: 'search', arguments: JSON.stringify({ query }) } }] },
        { role: 'tool', tool_call_id: '1', content: `Found: ${query} “é” is by Ada.` },
        { role: 'assistant', content: 'Ada.' },
      ],
    });
    for (const [name, space] of [['array.json', 0], ['pretty.json', 2]] as const) {
      const file = await write(name, JSON.stringify([chat('Who wrote Salt?', 'Salt'), chat('Who wrote Tin?', 'Tin'), chat('Who wrote Zinc?', 'Zinc')], null, space));
      const source = await show(file);
      const at = source.document.positionAt(source.document.getText().indexOf('Found: Tin'));
      source.selection = new vscode.Selection(at, at);
      await vscode.commands.executeCommand('turnlens.openTranscript');
      const transcript = await inFront('turnlens-transcript');
      assert.match(transcript.document.uri.path, /record 1\.transcript$/, name);
      assert.ok(atCursor(transcript).startsWith('Found: Tin'), atCursor(transcript));
      await vscode.commands.executeCommand('turnlens.revealInSource');
      const back = await inFront('file');
      assert.ok(back.selection.active.isEqual(at), name);
      await closeAll();
    }
    assert.deepEqual(messages.said, []);
  });

  it('a native trajectory and its transcript', async () => {
    const source = await show(inWorkspace('harmful-turn.traj'));
    await lensesWith(source.document.uri, /3 turns/);
    const at = source.document.positionAt(source.document.getText().lastIndexOf('Let me double-check'));
    source.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('turnlens.openTranscript');
    const transcript = await inFront('turnlens-transcript');
    assert.ok(atCursor(transcript).startsWith('Let me double-check'), atCursor(transcript));
    await vscode.commands.executeCommand('turnlens.revealInSource');
    assert.ok((await inFront('file')).selection.active.isEqual(at));
  });

  it('a record of a packed file is shown as it is written', async () => {
    const lines = Buffer.from(await vscode.workspace.fs.readFile(inWorkspace(group)));
    const file = await write('packed.jsonl.gz', gzipSync(lines));
    const { document } = await openRecord(4, file);
    await lensesWith(document.uri, /turns, not scored|outcome/);
    const editor = await inFront('turnlens-transcript');
    const at = document.positionAt(document.getText().lastIndexOf('search: ') + 'search: '.length);
    editor.selection = new vscode.Selection(at, at);
    const words = atCursor(editor);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    const raw = await inFront('turnlens-raw');
    assert.equal(raw.document.getText(), lines.toString('utf8').split('\n')[4]);
    assert.ok(atCursor(raw).startsWith(words.split('\n')[0]?.slice(0, 10) ?? '?'), atCursor(raw));
    await vscode.commands.executeCommand('turnlens.openTranscript');
    const back = await inFront('turnlens-transcript');
    assert.ok(back.selection.active.isEqual(at));
  });

  it('long observations are folded when a transcript is opened', async () => {
    const result = Array.from({ length: 40 }, (_, i) => `Doc ${i + 1} says something.`).join('\n');
    const file = await write('long-observation.jsonl', `${JSON.stringify({ input: 'user\nQuestion: What?\nassistant\n', output: `<search>a</search>\n\n<information>${result}</information>\n\n<answer> c </answer>`, gts: { target: ['c'] }, score: 1, step: 1, uid: 'q' })}\n`);
    await openRecord(0, file);
    const editor = await inFront('turnlens-transcript');
    const label = lineWith(editor.document, '▸ observation');
    await until('the fold', () => editor.visibleRanges.some((r, i) => r.end.line === label && i === 0) || undefined);
  });

  it('a part too long for a transcript is a link to the whole of it', async () => {
    const result = `first ${'word '.repeat(600_000)}last`;
    const file = await write('very-long.jsonl', `${JSON.stringify({ input: 'user\nQuestion: What?\nassistant\n', output: `<search>a</search>\n\n<information>${result}</information>\n\n<answer> c </answer>`, gts: { target: ['c'] }, score: 1, step: 1, uid: 'q' })}\n`);
    const { document } = await openRecord(0, file);
    assert.ok(document.getText().length < 2_000_000);
    const links = await until('the link', async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri, 10);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(links.map(({ range }) => document.getText(range).replace(/\d+/, 'N')), ['… N characters not shown …']);
    const target = links[0]?.target;
    assert.ok(target);
    const part = await show(target);
    assert.equal(part.document.getText(), result);
    const last = part.document.positionAt(result.length - 'last'.length);
    part.selection = new vscode.Selection(last, last);
    await vscode.commands.executeCommand('turnlens.revealInSource');
    assert.ok(atCursor(await inFront('file')).startsWith('last<'), 'the part leads to its words in the source');
  });
});
