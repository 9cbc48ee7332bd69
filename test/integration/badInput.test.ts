import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { assertSentence, inFront, lenses, lensesWith, show, until, useMessages, write } from './editorHelpers';

const turn = { think: 'I need to search.', search: 'a', result: 'Doc 1 b is c.' };
const whole = { question: 'What is b?', answers: ['c'], dialect: 'search-r1', turns: [turn, { think: 'Done.', answer: 'c' }] };
const json = (change: object): string => JSON.stringify({ ...whole, ...change }, null, 2);

describe('bad input', () => {
  const messages = useMessages();

  const opaque: Record<string, Uint8Array> = {
    'binary.traj': Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 37) % 256)),
    'zip.traj': Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(64)]),
    'pickle.traj': Buffer.from([0x80, 4, 0x95, 10, 0, 0, 0, 0, 0, 0, 0, 0x7d, 0x94, 0x2e]),
    'nul.traj': Buffer.alloc(256),
    'empty.traj': Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(opaque)) {
    for (const command of ['turnlens.openTranscript', 'turnlens.rescoreTrajectory']) {
      it(`${name} by ${command} gets one sentence`, async () => {
        await vscode.commands.executeCommand(command, await write(name, bytes));
        assert.equal(messages.said.length, 1, messages.said.join('\n'));
        assertSentence(messages.said[0]);
        assert.ok(messages.said[0]?.includes(name));
      });
    }
  }

  it('a file that is not there gets one sentence', async () => {
    const uri = await write('gone.traj', 'x');
    await vscode.workspace.fs.delete(uri);
    await vscode.commands.executeCommand('turnlens.rescoreTrajectory', uri);
    assert.equal(messages.said.length, 1);
    assertSentence(messages.said[0]);
  });

  it('text that is no JSON becomes plain text, with one sentence', async () => {
    const { document } = await show(await write('text.traj', 'This is a log.\nIt is no JSON.\n'));
    const plain = await until('plain text', () => vscode.workspace.textDocuments.find((d) => d.uri.toString() === document.uri.toString() && d.languageId === 'plaintext'));
    assert.deepEqual(await lenses(plain.uri), []);
    assert.equal(messages.said.length, 1);
    assertSentence(messages.said[0]);
  });

  it('another program’s .traj is left alone', async () => {
    const { document } = await show(await write('swe.traj', JSON.stringify({ trajectory: [{ action: 'ls', observation: 'x', response: 'y' }], history: [], info: {} }, null, 2)));
    // Documents are read as they are opened: when the next one is, this one was.
    const next = (await show(await write('next.traj', json({ turns: 'none' })))).document.uri;
    await until('a finding on the next', () => vscode.languages.getDiagnostics(next).length > 0 || undefined);
    assert.deepEqual(await lenses(document.uri), []);
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
    assert.equal(document.languageId, 'jsonc');
    assert.deepEqual(messages.said, []);
  });

  it('what is damaged in a list stands in the Problems view at its line, until it is mended', async () => {
    const line = JSON.stringify({ input: 'user\nQuestion: What is b?\nassistant\n', output: '<search>a</search>\n\n<information>b</information>\n\n<answer> c </answer>', gts: 'c', score: 1, step: 1 });
    const broken = line.replace('"score":1', '"score":oops');
    const { document } = await show(await write('damaged.jsonl', `${line}\n${broken}\n\n${line}\n${line.slice(0, 30)}\n${line}\n`));
    const problems = await until('two problems', () => {
      const found = vscode.languages.getDiagnostics(document.uri).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
      return found.length === 2 ? found.sort((a, b) => a.range.start.line - b.range.start.line) : undefined;
    });
    assert.deepEqual(problems.map(({ range }) => range.start.line), [1, 4]);
    assert.deepEqual(problems.map(({ message }) => /^Record (\d): /.exec(message)?.[1]), ['1', '3']);
    problems.forEach(({ message }) => assertSentence(message));
    await write('damaged.jsonl', `${line}\n${line}\n`);
    await until('no problem', () => vscode.languages.getDiagnostics(document.uri).length === 0 || undefined);
  });

  it('of truncated JSON the turns before the damage are open', async () => {
    const text = json({ turns: [turn, turn, turn] });
    const { document } = await show(await write('truncated.traj', text.slice(0, text.lastIndexOf('"search"') + 15)));
    await lensesWith(document.uri, /[23] turns, not scored/);
    assertFinding(document, /left out/i);
  });

  const findings: Record<string, [object, RegExp]> = {
    'no gold': [{ answers: undefined }, /gold/i],
    'no search turns': [{ turns: [{ think: 'x', answer: 'c' }] }, /turn/i],
    'a turn without observation': [{ turns: [{ think: 'x', search: 'a' }, turn, { answer: 'c' }] }, /observation|came back/i],
    'an empty observation': [{ turns: [{ ...turn, result: ' ' }, turn, { answer: 'c' }] }, /observation/i],
    'gold as a number': [{ answers: 12 }, /"answers" holds a number/],
    'gold as a stringified list': [{ answers: "['c']" }, /"answers" holds a list written as text/],
    'an empty gold': [{ answers: [''] }, /gold/i],
    'turns of the wrong type': [{ turns: 'none' }, /turns/i],
  };
  for (const [name, [change, words]] of Object.entries(findings)) {
    it(`${name} is a sentence in the Problems view`, async () => {
      const { document } = await show(await write(`${name.replaceAll(' ', '-')}.traj`, json(change)));
      await until('a finding', () => (vscode.languages.getDiagnostics(document.uri).some((d) => d.source === 'Turnlens') ? true : undefined));
      assertFinding(document, words);
      await vscode.commands.executeCommand('turnlens.rescoreTrajectory');
      for (const message of messages.said) assertSentence(message);
      assert.ok(messages.said.length <= 1, messages.said.join('\n'));
    });
  }

  it('a .traj larger than an editor holds is scored in its transcript', async () => {
    const large = await write('large.traj', `${JSON.stringify(whole).slice(0, -1)},"notes":"${'x'.repeat(51 * 2 ** 20)}"}`);
    try {
      assert.equal(await vscode.commands.executeCommand('turnlens.rescoreTrajectory', large), true);
      const { document: shown } = await inFront('turnlens-transcript');
      await lensesWith(shown.uri, /outcome 1\.00/);
      assert.deepEqual(messages.said, []);
      await vscode.commands.executeCommand('turnlens.revealInSource');
      const { document: raw } = await inFront('turnlens-raw');
      assert.ok(raw.getText().startsWith(JSON.stringify(whole).slice(0, 40)));
      assert.match(raw.getText().slice(-60), /… \d+ more bytes of this record are not shown\./);
      assert.deepEqual(messages.said, []);
    } finally {
      await vscode.workspace.fs.delete(large);
    }
  });

  it('50,000 brackets are one sentence and no crash', async () => {
    const { document } = await show(await write('deep.traj', `{"question":"q","answers":["c"],"turns":${'['.repeat(50_000)}`));
    await until('a finding', () => (vscode.languages.getDiagnostics(document.uri).some((d) => d.source === 'Turnlens') ? true : undefined));
    assertFinding(document, /nest|deep|bracket/i);
  });
});

function assertFinding(document: vscode.TextDocument, words: RegExp): void {
  const ours = vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === 'Turnlens');
  for (const { message } of ours) assertSentence(message);
  assert.ok(ours.some((d) => words.test(d.message)), `${words} in ${ours.map((d) => d.message).join(' | ')}`);
}
