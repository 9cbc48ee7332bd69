import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { transcriptUri } from '../../src/editor/transcripts';
import { closeAll, inWorkspace, lensesWith, show, turnlens, until, write } from './editorHelpers';

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('turnlens');
const set = (key: string, value: unknown): Thenable<void> => settings().update(key, value, vscode.ConfigurationTarget.Workspace);
const asked = (i: number): string => `Solve this, please: who is ${i}?`;
const row = (i: number): string => JSON.stringify({ input: `user\n${asked(i)}\nassistant\n`, output: '<search>a</search>\n\n<information>b</information>\n\n<answer> c </answer>', gts: 'c', score: 1, step: 1 });
const rows = (n: number): string => `${Array.from({ length: n }, (_, i) => row(i)).join('\n')}\n`;

const tags = Object.fromEntries(Object.entries({ think: 'plan', search: 'ask', observation: 'found', answer: 'reply' }).map(([kind, tag]) => [kind, { open: `<${tag}>`, close: `</${tag}>` }])) as unknown;
const told = '<plan>x</plan><ask>who is it</ask><found>D</found><reply>c</reply>';

describe('what the policy’s contract says of prompts', () => {
  afterEach(async () => {
    for (const key of ['contract', 'policy', 'dialects']) await set(key, undefined);
    await closeAll();
  });

  const isGuessed = (uri: vscode.Uri): boolean => vscode.languages.getDiagnostics(uri).some(({ code }) => code === 'question-guessed');
  const questions = async (source: string): Promise<string[]> => (await turnlens()).rollouts.listing(source).rows.map(({ question }) => question);

  it('is followed by what is open and listed, which stays where it is', async () => {
    const { rollouts: view } = await turnlens();
    const turns = [{ search: 'a', result: 'b' }, { answer: 'c' }];
    const native = (await show(await write('asked.traj', JSON.stringify({ messages: [{ role: 'user', content: asked(9) }], answers: ['c'], turns })))).document.uri;
    const listed = await write('asked.jsonl', rows(3));
    const source = listed.toString();
    const { document } = await show(transcriptUri({ source, record: 1 }));
    await vscode.commands.executeCommand('turnlens.showInRollouts', document.uri);
    await until('the guess', () => isGuessed(native) && isGuessed(document.uri) || undefined);
    assert.deepEqual(await questions(source), [0, 1, 2].map(asked));
    const selected = (): unknown => view.selected.map(({ kind, source }) => [kind, source]);
    assert.deepEqual(selected(), [['rollout', source]]);

    await set('contract', { agentPrompt: 'Solve this, please: {question}' });
    await until('the question of the list', async () => (await questions(source)).join() === 'who is 0?,who is 1?,who is 2?' || undefined);
    await until('the question of the documents', () => (!isGuessed(native) && !isGuessed(document.uri)) || undefined);
    assert.doesNotMatch(document.getText(), /question: Solve/);
    await until('the drawn list', () => view.getChildren({ kind: 'file', source, record: 0 }).some((node) => node.kind === 'question' && node.group.question === 'who is 1?') || undefined);
    await new Promise((resume) => setTimeout(resume, 1000));
    assert.deepEqual(selected(), [['rollout', source]]);
    await vscode.commands.executeCommand('turnlens.removeFromRollouts', { kind: 'file', source, record: 0 });
  });

  it('is followed where another policy says it, and where that is written anew', async () => {
    const source = (await write('asked.jsonl', rows(2))).toString();
    const { document } = await show(transcriptUri({ source, record: 1 }));
    await until('the guess', () => isGuessed(document.uri) || undefined);
    await write('contracted/turnlens.json', JSON.stringify({ agentPrompt: 'Solve this, please: {question}' }));
    await set('policy', inWorkspace('contracted').fsPath);
    await until('its question', () => !isGuessed(document.uri) || undefined);
    await write('contracted/turnlens.json', JSON.stringify({ agentPrompt: 'Solve that: {question}' }));
    await until('the guess again', () => isGuessed(document.uri) || undefined);
  });

  it('gives a dialect to what names none, as on the command line', async () => {
    const turns = [{ text: told }];
    const native = (await show(await write('plain.traj', JSON.stringify({ question: 'Who?', answers: ['c'], turns })))).document.uri;
    const { document } = await show(transcriptUri({ source: native.toString(), record: 0 }));
    assert.doesNotMatch(document.getText(), /search: who is it/);
    await set('dialects', [{ id: 'mine', tags }]);
    await set('contract', { dialect: 'mine' });
    await until('its search', () => /search: who is it/.test(document.getText()) || undefined);
    await lensesWith(native, /1 turn, not scored/);
  });

  it('is waited for by open files that are trajectories by a dialect of the user’s alone', async () => {
    const { rollouts: view } = await turnlens();
    view.getChildren();
    const uri = await write('tagged.jsonl', `${JSON.stringify({ prompt: 'Who?', response: told })}\n`);
    await show(uri);
    const isListed = (): boolean => view.getChildren().some(({ source }) => source === uri.toString());
    // Open files are looked at in turn.
    const next = (await show(inWorkspace('group.jsonl'))).document.uri.toString();
    await until('the next file', () => view.getChildren().some(({ source }) => source === next) || undefined);
    assert.equal(isListed(), false);
    await show(uri);
    await set('dialects', [{ id: 'mine', tags }]);
    await until('the file', () => isListed() || undefined);
    await lensesWith(uri, /Record 0: open transcript/);
  });
});
