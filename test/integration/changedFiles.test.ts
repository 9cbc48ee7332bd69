import * as assert from 'node:assert/strict';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { rawUri } from '../../src/editor/rawRecords';
import { transcriptUri } from '../../src/editor/transcripts';
import { closeAll, inWorkspace, show, turnlens, until, write } from './editorHelpers';

const lines = async (most?: number): Promise<string[]> => (await readFile(inWorkspace('group.jsonl').fsPath, 'utf8')).split('\n').slice(0, most);

const fileNode = (uri: vscode.Uri) => ({ kind: 'file', source: uri.toString(), record: 0 }) as const;

const remove = (uri: vscode.Uri): Thenable<unknown> => vscode.commands.executeCommand('turnlens.removeFromRollouts', fileNode(uri));

describe('a listed file', () => {
  afterEach(closeAll);

  for (const gone of ['deleted', 'in a folder that is deleted', 'in a folder that is moved away']) {
    it(`that is ${gone} says so, and is read again when it is back`, async () => {
      const { rollouts: view } = await turnlens();
      const text = (await lines(3)).join('\n');
      const [folder, away] = [inWorkspace('runs, {1}'), inWorkspace('away')];
      await mkdir(folder.fsPath);
      // A folder that was made just now is not watched at once.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      const uri = await write('runs, {1}/gone.jsonl', text);
      const file = fileNode(uri);
      await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
      const listing = view.listing(uri.toString());
      listing.start();
      await listing.settled();
      assert.equal(listing.rows.length, 3);
      if (gone === 'deleted') await rm(uri.fsPath);
      else if (gone.includes('moved')) await rename(folder.fsPath, away.fsPath);
      else await rm(folder.fsPath, { recursive: true });
      await until('the news', () => listing.progress.kind === 'refused' || undefined);
      assert.deepEqual(view.getChildren(file).map((node) => view.getTreeItem(node).label), ['gone.jsonl cannot be read: it is not there.']);
      if (gone.includes('moved')) await rename(away.fsPath, folder.fsPath);
      else await mkdir(folder.fsPath, { recursive: true }).then(() => writeFile(uri.fsPath, text));
      await until('the rows', () => (listing.progress.kind === 'read' && listing.rows.length === 3) || undefined);
      await remove(uri);
      await rm(folder.fsPath, { recursive: true });
    });
  }

  it('that is written in place, as long as it was, is read anew', async () => {
    const { rollouts: view } = await turnlens();
    const text = (await lines(5)).join('\n');
    const uri = await write('in-place.jsonl', text);
    await vscode.commands.executeCommand('turnlens.showInRollouts', uri);
    const listing = view.listing(uri.toString());
    listing.start();
    await listing.settled();
    const answers = (): unknown[] => listing.rows.map(({ answer }) => answer);
    const before = answers();
    assert.equal(before[1], 'Fensund');
    const handle = await open(uri.fsPath, 'r+');
    await handle.write(text.replace(/Fensund(?=\s*<\/answer>)/, 'Dunsefn'));
    await handle.close();
    await until('the new row', () => answers()[1] === 'Dunsefn' || undefined);
    assert.deepEqual(answers(), before.map((answer, i) => (i === 1 ? 'Dunsefn' : answer)));
    await remove(uri);
    await vscode.workspace.fs.delete(uri);
  });
});

describe('what is shown of a file', () => {
  afterEach(closeAll);

  it('as it is written follows it', async () => {
    const all = await lines();
    const name = 'rewritten.jsonl.gz';
    const uri = await write(name, gzipSync(all.join('\n')));
    const { document } = await show(rawUri({ source: uri.toString(), record: 4 }));
    const shows = (text: string | undefined): Promise<unknown> => until(`the text ${text?.slice(0, 60) ?? ''}`, () => document.getText() === text || undefined);
    await shows(all[4]);
    await write(name, gzipSync(all.slice(1).join('\n')));
    await shows(all[5]);
    await write(name, gzipSync(all.slice(0, 3).join('\n')));
    await shows(`${name} has no record 4; it holds 3.\n`);
    await vscode.workspace.fs.delete(uri);
    await shows(`${name} cannot be read: it is not there.\n`);
    await write(name, gzipSync(all.join('\n')));
    await shows(all[4]);
  });

  it('as the whole of a part follows it, and says where it is no part any more', async () => {
    const record = (search: string, result: string): string => `${JSON.stringify({ input: 'user\nQuestion: What?\nassistant\n', output: `<search>${search}</search>\n\n<information>${result}</information>\n\n<answer> c </answer>`, gts: 'c', score: 1, step: 1 })}\n`;
    const result = 'word '.repeat(600_000);
    const uri = await write('part.jsonl', record('a', result));
    const { document } = await show(transcriptUri({ source: uri.toString(), record: 0 }));
    const [link] = await until('the link', async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri, 10);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(link?.target);
    const part = (await show(link.target)).document;
    assert.equal(part.getText(), result);
    const other = result.replaceAll('word', 'text');
    await writeFile(uri.fsPath, record('a', other));
    await until('the new words', () => part.getText() === other || undefined);
    await writeFile(uri.fsPath, record('another query', other));
    const news = /^part\.jsonl, record 0, has changed: characters \d+ to \d+ are no longer a part that its transcript shortens\. Open that transcript to see the record as it is\.\n$/;
    await until('the news', () => news.test(part.getText()) || undefined);
    await writeFile(uri.fsPath, record('a', result));
    await until('the part again', () => part.getText() === result || undefined);
  });
});
