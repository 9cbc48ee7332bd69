import * as assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { assertSentence, inWorkspace, useMessages, write } from './editorHelpers';

describe('what is said of a file', () => {
  const messages = useMessages();

  it('names it, and the place where it is damaged', async () => {
    const [first, second] = (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n');
    const uri = await write('named.jsonl', `${first ?? ''}\n${second?.slice(0, 60) ?? ''}\n`);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', uri, 1), false);
    assert.equal(messages.said.length, 1, messages.said.join('\n'));
    assertSentence(messages.said[0]);
    assert.match(messages.said[0] ?? '', /^named\.jsonl: line 2: /);
  });

  it('names the record that has nothing to score', async () => {
    const row = JSON.stringify({ input: 'user\nQuestion: What?\nassistant\n', output: '<answer> c </answer>', gts: 'c', score: 1, step: 1 });
    const uri = await write('nothing.jsonl', `${row}\n${row}\n`);
    assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', uri, 1), false);
    assert.deepEqual(messages.said, ['nothing.jsonl, record 1, has no search turns, so there is nothing to score.']);
  });
});
