import * as vscode from 'vscode';
import { pathOf } from '../trajectory/lineNames';
import type { Documents } from './documents';
import { transcriptUri } from './transcripts';

/** In a transcript, from where a line beside the trajectory is named to that line's own transcript, and from there back. */
export class LineLinks implements vscode.DocumentLinkProvider {
  constructor(private readonly documents: Documents) {}

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const reading = this.documents.get(document.uri) ?? (await this.documents.read(document));
    if (reading?.kind !== 'trajectory') return [];
    const { anchors, rollout } = reading;
    const links = (anchors?.lines ?? []).map(({ name, at }) => {
      const link = new vscode.DocumentLink(range(document, at.start, at.end), transcriptUri({ ...rollout, line: pathOf(name, rollout.line) }));
      link.tooltip = 'Open the transcript of this line';
      return link;
    });
    if (rollout.line === undefined || !anchors?.own) return links;
    const back = new vscode.DocumentLink(range(document, anchors.own.start, anchors.own.end), transcriptUri({ source: rollout.source, record: rollout.record }));
    back.tooltip = 'Open the transcript of the main line';
    return [back, ...links];
  }
}

const range = (document: vscode.TextDocument, start: number, end: number): vscode.Range => new vscode.Range(document.positionAt(start), document.positionAt(end));
