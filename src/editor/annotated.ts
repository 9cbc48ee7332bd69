import type * as vscode from 'vscode';
import type { Anchors } from '../trajectory/anchors';
import type { Span, Trajectory } from '../trajectory/model';
import type { Rollout } from './rollout';

/** A document that shows one trajectory: the source itself or its transcript. What every surface works on. */
export interface Annotated {
  readonly document: vscode.TextDocument;
  /** Of the document when it was read. */
  readonly version: number;
  readonly rollout: Rollout;
  readonly trajectory: Trajectory;
  /** Where its parts stand; absent: on lines they share, so that only the transcript can show them. */
  readonly anchors?: Anchors;
  /** From {@link Trajectory.text} to this document. */
  place(span: Span): Span | undefined;
  /** And back, where the document is a transcript. */
  textAt?(offset: number): number | undefined;
}

export const rangeOf = (document: vscode.TextDocument, span: Span): [vscode.Position, vscode.Position] => [
  document.positionAt(span.start),
  document.positionAt(span.end),
];
