import * as vscode from 'vscode';
import { placeInRecord, placeInText } from '../trajectory/counterpart';
import type { TrajectoryFile } from '../trajectory/file';
import type { RecordRange } from '../trajectory/records';
import { pointerAt } from '../trajectory/recordStrings';
import type { Documents } from './documents';
import type { Rollout } from './rollout';
import { unsavedDocument, whileUsed, type SourceFiles } from './sources';
import { offsetInText } from './wholeParts';

/** A larger record is entered at its start: its words are not looked for. UTF-16 code units. */
const mostSearched = 32 * 2 ** 20;

/** A place in the file of a rollout. */
export interface SourcePlace {
  /** Of the document. */
  readonly offset: number;
  /** JSON pointer within the record. */
  readonly pointer: string;
}

/** Between documents that show a file as it is written and the texts of its rollouts, both ways. */
export class SourcePlaces {
  constructor(
    private readonly sources: SourceFiles,
    private readonly documents: Documents,
  ) {}

  /** What stands at a position of the source, as an offset of {@link Trajectory.text}; `undefined` where that is not of it. */
  async textOffset(document: vscode.TextDocument, position: vscode.Position, rollout: Rollout): Promise<number | undefined> {
    const ofPart = offsetInText(document, position);
    if (ofPart !== undefined) return ofPart;
    const record = await this.record(document, rollout);
    const result = await this.sources.read(rollout);
    if (!record || result.kind === 'problem') return undefined;
    const offset = document.offsetAt(position) - record.start;
    return offset < 0 || offset > record.text.length ? undefined : placeInText(record.text, offset, result.trajectory.text);
  }

  /** Where a record stands in a document that shows it, and there what stands at `at` of its {@link Trajectory.text}. */
  async inDocument(document: vscode.TextDocument, rollout: Rollout, at?: number): Promise<SourcePlace> {
    const record = await this.record(document, rollout);
    if (!record) return { offset: 0, pointer: '' };
    const result = await this.sources.read(rollout);
    const within =
      result.kind === 'problem' ? result.at?.start : at === undefined ? undefined : placeInRecord(record.text, result.trajectory.text, at);
    if (within === undefined) return { offset: record.start, pointer: '' };
    return { offset: record.start + within, pointer: pointerAt(record.text, within) };
  }

  /** A record's text, and its offset in the document. */
  private async record(document: vscode.TextDocument, rollout: Rollout): Promise<{ text: string; start: number } | undefined> {
    if (this.documents.annotated(document)) return { text: document.getText(), start: 0 };
    if (document.uri.toString() !== rollout.source) return { text: document.getText(), start: 0 };
    return whileUsed(async (until) => {
      const file = await this.sources.open(vscode.Uri.parse(rollout.source), undefined, until);
      const range = file.records[rollout.record];
      if (!range || range.end - range.start > mostSearched) return undefined;
      return { text: await file.raw(rollout.record), start: await startIn(document, file, range) };
    });
  }
}

/** The record under a position, of several in one row the first; `undefined` before the first one. */
export async function recordUnder(document: vscode.TextDocument, position: vscode.Position, file: TrajectoryFile): Promise<number | undefined> {
  const last = file.records.findLastIndex(({ line }) => line <= position.line);
  const first = file.records.findIndex(({ line }) => line === file.records[last]?.line);
  const range = file.records[first];
  if (!range) return undefined;
  const start = document.positionAt(await startIn(document, file, range));
  if (position.isBefore(start)) return first === 0 ? undefined : first - 1;
  const bytes = bytesOf(document.getText(new vscode.Range(start, position)), unsavedDocument(document.uri) ? 'utf8' : document.encoding);
  const under = file.records.findLast((r) => r.start - range.start <= bytes);
  return file.records.findIndex((r) => r.start === under?.start);
}

const bytesOf = (text: string, encoding: string): number => Buffer.byteLength(text, encoding.startsWith('utf16') ? 'utf16le' : 'utf8');

/** Told by the record's line, and there by its first words: a document may hold other line ends than the file. */
async function startIn(document: vscode.TextDocument, file: TrajectoryFile, { record, line }: RecordRange): Promise<number> {
  const at = document.lineAt(Math.min(line, document.lineCount - 1));
  const [words = ''] = (await file.raw(record, 400)).slice(0, 100).split(/\r?\n/);
  return document.offsetAt(at.range.start) + Math.max(0, at.text.indexOf(words));
}
