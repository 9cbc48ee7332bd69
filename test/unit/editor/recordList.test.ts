import { expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { holdsRecords, recordAt } from '../../../src/editor/recordList';

const row = (text: string): string => JSON.stringify({ input: 'user\nQuestion: q\nassistant\n', output: text, gts: 'a', score: 1, step: 1 });

/** Of these lines, and nothing else of a document: whoever copies text out of it fails. */
function documentOf(lines: string[], fileName = '/a.jsonl'): vscode.TextDocument {
  const lineAt = (line: number): unknown => ({ text: lines[line], isEmptyOrWhitespace: (lines[line] ?? '').trim() === '' });
  const document: unknown = {
    fileName,
    languageId: 'plaintext',
    get lineCount() {
      return lines.length;
    },
    lineAt,
  };
  return document as vscode.TextDocument;
}

test('a list of rollouts is told by its first lines, and anew where these are others', () => {
  const lines = [row('<answer>a</answer>'), '', row('b')];
  const document = documentOf(lines);
  expect(holdsRecords(document, [])).toBe(true);
  lines.push(row('c'));
  expect(holdsRecords(document, [])).toBe(true);
  lines[0] = '{"a": 1}';
  lines[2] = lines[3] = '{"b": 2}';
  expect(holdsRecords(document, [])).toBe(false);
  expect(recordAt(document, 3)).toBe(2);
});

test.each([
  ['one line', [row('a')]],
  ['long lines', [row('a'.repeat(2 ** 22)), row('b'.repeat(2 ** 22))]],
])('and so is one of %s', (_, lines) => expect(holdsRecords(documentOf(lines), [])).toBe(true));

test('no list: another kind of file', () => {
  expect(holdsRecords(documentOf([row('a')], '/a.txt'), [])).toBe(false);
  expect(holdsRecords(documentOf(['']), [])).toBe(false);
});

test('after an edit, what the file begins with is not looked at again', () => {
  const lines = [row('a'), ...Array.from({ length: 50 }, () => row('b'))];
  const document = documentOf(lines);
  let asked = 0;
  const own = new Proxy<[]>([], { get: (target, key, receiver) => (asked++, Reflect.get(target, key, receiver) as unknown) });
  holdsRecords(document, own);
  const first = asked;
  lines[30] = row('c');
  holdsRecords(document, own);
  expect([first > 0, asked - first]).toEqual([true, 0]);
});
