import type * as vscode from 'vscode';
import { detect, headSize } from '../trajectory/detect';
import type { Dialect } from '../trajectory/dialect';

/** Lines of a file that tell what it is. */
const told = 5;

interface Known {
  readonly head: string;
  readonly own: readonly Dialect[];
  readonly holds: boolean;
}

/** It is asked after each edit, and few edits change what a file begins with. */
const known = new WeakMap<vscode.TextDocument, Known>();

/** Whether a document is a list of rollouts, one on each line. @param own the user's own dialects */
export function holdsRecords(document: vscode.TextDocument, own: readonly Dialect[]): boolean {
  if (document.languageId !== 'jsonl' && !/\.jsonl$/i.test(document.fileName)) return false;
  const head = headOf(document);
  const before = known.get(document);
  if (before?.head === head && before.own === own) return before.holds;
  const { file, framing } = detect(Buffer.from(head), document.fileName, true, own);
  const holds = file.kind === 'trajectories' && framing.kind === 'lines';
  known.set(document, { head, own, holds });
  return holds;
}

/** The first lines, as far as they are looked at. */
function headOf(document: vscode.TextDocument): string {
  let head = '';
  for (let line = 0; line < Math.min(told, document.lineCount) && head.length < headSize; line++) {
    const { text } = document.lineAt(line);
    const left = headSize - head.length;
    head += text.length < left && line + 1 < document.lineCount ? `${text}\n` : text.slice(0, left);
  }
  return head;
}

/** The record whose line this is, counted over non-blank lines. */
export function recordAt(document: vscode.TextDocument, line: number): number {
  let record = 0;
  for (let i = 0; i < line; i++) if (!document.lineAt(i).isEmptyOrWhitespace) record++;
  return record;
}
