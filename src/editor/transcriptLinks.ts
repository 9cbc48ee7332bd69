import * as vscode from 'vscode';
import type { Anchors } from '../trajectory/anchors';
import { pathOf } from '../trajectory/lineNames';
import type { Span } from '../trajectory/model';
import { rangeOf } from './annotated';
import type { Documents } from './documents';
import type { Rollout } from './rollout';
import { transcriptUri } from './transcripts';
import { partUri } from './wholeParts';

interface Link {
  readonly at: Span;
  readonly target: vscode.Uri;
  readonly tooltip: string;
}

/** In a transcript, from where something else is named to that: a line beside the trajectory, its main line, the whole of a part that is shortened. */
export class TranscriptLinks implements vscode.DocumentLinkProvider {
  constructor(private readonly documents: Documents) {}

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const reading = await this.documents.reading(document);
    if (reading?.kind !== 'trajectory' || !reading.anchors) return [];
    return linksIn(reading.anchors, reading.rollout).map(({ at, target, tooltip }) => {
      const link = new vscode.DocumentLink(new vscode.Range(...rangeOf(document, at)), target);
      link.tooltip = tooltip;
      return link;
    });
  }
}

function linksIn({ own, lines = [], shortened = [] }: Anchors, rollout: Rollout): readonly Link[] {
  const { source, record, line } = rollout;
  const main = own !== undefined && line !== undefined ? [{ at: own, target: transcriptUri({ source, record }), tooltip: 'Open the transcript of the main line' }] : [];
  return [
    ...main,
    ...lines.map(({ name, at }) => ({ at, target: transcriptUri({ source, record, line: pathOf(name, line) }), tooltip: 'Open the transcript of this line' })),
    ...shortened.map(({ at, text }) => ({ at, target: partUri(rollout, text), tooltip: 'Show the whole part' })),
  ];
}
