import * as vscode from 'vscode';
import type { Finding, Severity } from '../trajectory/model';
import type { Annotated } from './annotated';
import type { Documents, Reading } from './documents';
import type { ScoreBook } from './scoreBook';

/** As an editor has them. */
export const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Findings of reading and of scoring, in the Problems view. */
export class Problems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('turnlens');

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
  ) {}

  refresh(uri: vscode.Uri): void {
    const reading = this.documents.get(uri);
    this.collection.set(uri, reading ? this.of(reading) : []);
  }

  dispose(): void {
    this.collection.dispose();
  }

  private of(reading: Reading): vscode.Diagnostic[] {
    switch (reading.kind) {
      case 'not json':
        return [];
      case 'problem': {
        const at = reading.problem.at ?? { start: 0, end: 0 };
        return [diagnostic(range(reading.document, at), reading.problem.message, 'error')];
      }
      case 'trajectory': {
        const shown = this.book.get(reading.rollout);
        const findings = [...reading.trajectory.findings, ...(shown?.freshness === 'fresh' ? shown.scores.findings : [])];
        return findings.map((f) => Object.assign(diagnostic(place(f, reading), f.message, f.severity), { code: f.code }));
      }
    }
  }
}

/** Its own place, else its turn's query, else the trajectory's line. */
function place(f: Finding, { document, place, anchors, rollout }: Annotated): vscode.Range {
  const inSource = document.uri.toString() === rollout.source ? f.atSource : undefined;
  const turn = f.turn === undefined ? undefined : anchors?.turns[f.turn - 1]?.query;
  const span = inSource ?? (f.at && place(f.at)) ?? turn ?? anchors?.trajectory ?? { start: 0, end: 0 };
  return range(document, span);
}

const range = (document: vscode.TextDocument, span: { start: number; end: number }): vscode.Range =>
  new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));

function diagnostic(at: vscode.Range, message: string, severity: Severity): vscode.Diagnostic {
  return Object.assign(new vscode.Diagnostic(at, message, severities[severity]), { source: 'Turnlens' });
}
