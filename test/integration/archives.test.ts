import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { makeZip } from '../support/makeZip';
import { closeAll, hoverAt, lensesWith, lineWith, until, write } from './editorHelpers';

const sample = (id: number, answer: string): { name: string; content: string } => ({
  name: `samples/${String(id)}_epoch_1.json`,
  content: JSON.stringify({
    id,
    epoch: 1,
    input: 'Where is it?',
    target: '',
    messages: [
      { role: 'user', content: 'Where is it?' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'c', function: 'bash', arguments: { command: 'ls' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'here' },
      { role: 'assistant', content: answer },
    ],
  }),
});

describe('a log of Inspect', () => {
  afterEach(closeAll);

  it('opens record by record; without a gold answer the policy’s thought of each turn is shown, and why there is no credit', async () => {
    const uri = await write('run.eval', makeZip([{ name: 'header.json', content: '{}' }, sample(1, 'Here.'), sample(2, 'There.')]));
    await vscode.commands.executeCommand('turnlens.openTranscript', uri, 1);
    const { document } = await until('the transcript', () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.path.includes('/run.eval · record 1.') === true ? editor : undefined;
    });
    assert.ok(document.getText().includes('There.'));
    await lensesWith(document.uri, /1 turn, not scored/);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory'), true);
    await lensesWith(document.uri, /^no gold answer, so no credit · log π −\d+\.\d\d a token over 1 turn$/);
    const text = await hoverAt(document.uri, lineWith(document, 'ls'), 3);
    for (const part of ['no gold answer: answerability, reward and gain need one', 'log π']) assert.ok(text.includes(part), `${part} in\n${text}`);
  });
});
