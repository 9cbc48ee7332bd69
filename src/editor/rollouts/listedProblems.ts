import * as vscode from 'vscode';
import type { Severity } from '../../trajectory/model';
import { problemAt } from '../../trajectory/records';
import type { Documents } from '../documents';
import { severities } from '../problems';
import { holdsRecords } from '../recordList';
import type { SourcePlaces } from '../sourcePlaces';
import { openDocument } from '../sources';
import type { ListedFiles } from './listedFiles';
import type { Listing, Progress } from './listing';
import type { RolloutRow } from './row';
import type { RolloutsView } from './view';

/** Of one file. */
const most = 500;
/** Found within their records, which are read again for it. */
const mostPlaced = 50;

interface Noted {
  readonly record: number;
  readonly message: string;
  readonly severity: Severity;
  readonly isUnreadable?: boolean;
}

/**
 * What is wrong with the records of listed files, in the Problems view: at the record's line, and where it cannot be read, in an open document, at the
 * place. A list of lines that is opened in an editor is read for it; a document that is one trajectory says itself what is wrong with it.
 */
export class ListedProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('turnlens-records');
  /** How far the list was when its problems were shown. */
  private readonly shown = new Map<string, Progress>();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly view: RolloutsView,
    private readonly files: ListedFiles,
    private readonly documents: Documents,
    private readonly places: SourcePlaces,
  ) {
    this.subscriptions = vscode.Disposable.from(
      this.collection,
      view.onDidDraw(() => this.refresh()),
      files.onDidChange(() => this.start()),
      vscode.workspace.onDidOpenTextDocument(() => this.start()),
    );
    files.follow();
  }

  private start(): void {
    for (const source of this.files.all) {
      const document = openDocument(vscode.Uri.parse(source));
      if (document && holdsRecords(document, this.documents.dialects())) this.view.listing(source).start();
    }
  }

  private refresh(): void {
    const listings = new Map(this.view.read());
    for (const source of [...this.shown.keys()].filter((known) => !listings.has(known))) {
      this.shown.delete(source);
      this.collection.delete(vscode.Uri.parse(source));
    }
    for (const [source, listing] of listings) {
      if (this.shown.get(source) === listing.progress) continue;
      this.shown.set(source, listing.progress);
      void this.show(source, listing);
    }
  }

  private async show(source: string, listing: Listing): Promise<void> {
    const { progress } = listing;
    const uri = vscode.Uri.parse(source);
    const all = this.documents.get(uri) ? [] : listing.rows.flatMap(notedIn);
    const noted = [...all.filter(({ isUnreadable }) => isUnreadable), ...all.filter(({ isUnreadable }) => !isUnreadable)].slice(0, most);
    const diagnostics: vscode.Diagnostic[] = [];
    // While the list is being read it is shown again and again; the places are looked for once.
    const placed = progress.kind === 'reading' ? 0 : mostPlaced;
    for (const [i, each] of noted.entries()) {
      const range = (i < placed && each.isUnreadable === true && (await this.placeOf(uri, each.record))) || lineRange(listing.lineOf(each.record));
      diagnostics.push(diagnostic(range, each));
    }
    const [first] = all.slice(most);
    if (first) diagnostics.push(diagnostic(lineRange(listing.lineOf(first.record)), { ...first, severity: 'information', message: 'Further problems of this file are not listed; the Rollouts view counts them all.' }));
    // Another reading of the file may have come meanwhile.
    if (this.shown.get(source) === progress) this.collection.set(uri, diagnostics);
  }

  /** In an open document: from the fault, or where the record begins, to the end of that line. */
  private async placeOf(uri: vscode.Uri, record: number): Promise<vscode.Range | undefined> {
    const document = openDocument(uri);
    if (!document) return undefined;
    const { offset } = await this.places.inDocument(document, { source: uri.toString(), record });
    const start = document.positionAt(offset);
    return new vscode.Range(start, document.lineAt(start.line).range.end);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

function notedIn({ record, problem, messages }: RolloutRow): readonly Noted[] {
  if (problem !== undefined) return [{ record, message: problem, severity: 'error', isUnreadable: true }];
  return messages.filter(({ severity }) => severity !== 'information').map((each) => ({ record, ...each }));
}

/** To its end, however long it is. */
const lineRange = (line: number): vscode.Range => new vscode.Range(line, 0, line, 2 ** 20);

function diagnostic(at: vscode.Range, { record, message, severity }: Noted): vscode.Diagnostic {
  const said = problemAt(`Record ${record}`, { kind: 'problem', message }).message;
  return Object.assign(new vscode.Diagnostic(at, said, severities[severity]), { source: 'Turnlens' });
}
