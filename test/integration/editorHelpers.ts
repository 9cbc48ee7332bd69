import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { TurnlensApi } from '../../src/editor/extension';

export const inWorkspace = (name: string): vscode.Uri => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the suite runs in a folder');
  return vscode.Uri.joinPath(folder.uri, name);
};

export async function turnlens(): Promise<TurnlensApi> {
  const extension = vscode.extensions.getExtension<TurnlensApi>('turnlens.turnlens');
  assert.ok(extension);
  return extension.activate();
}

export async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

/** Waits until `probe` gives something; longer than anything takes on a slow machine with other work. */
export async function until<T>(what: string, probe: () => T | undefined | Promise<T | undefined>, ms = 60_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    assert.ok(Date.now() < end, `${what}: not within ${ms / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until `probe` gives what is expected. */
export async function untilEqual<T>(what: string, probe: () => T, expected: T): Promise<void> {
  await until(what, () => isDeepStrictEqual(probe(), expected) || undefined).catch(() => assert.deepEqual(probe(), expected, what));
}

/** Waits until a document of this scheme is in front: the host may hear of it a moment after the command that shows it. */
export const inFront = (scheme: string): Promise<vscode.TextEditor> =>
  until(`a ${scheme} document in front`, () => (vscode.window.activeTextEditor?.document.uri.scheme === scheme ? vscode.window.activeTextEditor : undefined));

export interface LensSeen {
  readonly line: number;
  readonly title: string;
}

export async function lenses(uri: vscode.Uri): Promise<LensSeen[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 5000);
  return found.map((lens) => ({ line: lens.range.start.line, title: lens.command?.title ?? '' }));
}

/** Titles of the lenses once one of them matches. */
export const lensesWith = (uri: vscode.Uri, pattern: RegExp): Promise<LensSeen[]> =>
  until(`a lens ${pattern}`, async () => {
    const found = await lenses(uri);
    return found.some((l) => pattern.test(l.title)) ? found : undefined;
  });

/** The hover's text without its escapes. */
export async function hoverAt(uri: vscode.Uri, line: number, character: number): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, new vscode.Position(line, character));
  const text = hovers.flatMap((h) => h.contents).map((c) => (typeof c === 'string' ? c : c.value));
  return text.join('\n').replace(/\\(?=[!-/:-@[-`{-~])/g, '');
}

export const lineWith = (document: vscode.TextDocument, text: string, nth = 1): number => {
  let seen = 0;
  for (let line = 0; line < document.lineCount; line++) if (document.lineAt(line).text.includes(text) && ++seen === nth) return line;
  return assert.fail(`no line ${nth} with ${text}`);
};

/** What is said while a test runs; `answer` chooses the action. */
export interface Messages {
  readonly said: readonly string[];
  answer: (message: string, actions: readonly string[]) => string | undefined;
}

/** Hears what is said in each test of a suite, and closes what it opened. */
export function useMessages(): Messages {
  const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  const said: string[] = [];
  const messages: Messages = { said, answer: () => undefined };
  const record = (message: string, ...actions: unknown[]): Promise<unknown> => {
    said.push(message);
    return Promise.resolve(messages.answer(message, actions.filter((a) => typeof a === 'string')));
  };
  beforeEach(() => {
    said.length = 0;
    messages.answer = () => undefined;
    Object.assign(vscode.window, { showErrorMessage: record, showWarningMessage: record, showInformationMessage: record });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showErrorMessage, showWarningMessage, showInformationMessage });
    await closeAll();
  });
  return messages;
}

export async function write(name: string, content: string | Uint8Array): Promise<vscode.Uri> {
  const uri = inWorkspace(name);
  await vscode.workspace.fs.writeFile(uri, typeof content === 'string' ? Buffer.from(content) : content);
  return uri;
}

export const closeAll = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.closeAllEditors');

/** One sentence of ours: it ends with a full stop, and is no stack trace. */
export function assertSentence(message: string | undefined): void {
  assert.match(message ?? '', /^[^\n]{10,300}\.$/);
  assert.doesNotMatch(message ?? '', /\bat .*:\d+:\d+|TypeError|ENOENT|^Error|could not do this/);
}
