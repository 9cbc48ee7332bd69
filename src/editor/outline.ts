import * as vscode from 'vscode';
import { count } from '../scoring/format';
import { textOf, type Span } from '../trajectory/model';
import type { LineAnchor, TurnAnchor } from '../trajectory/anchors';
import { rangeOf, type Annotated } from './annotated';
import type { Documents } from './documents';

/** A longer observation is folded when its transcript is opened. */
const longest = { lines: 12, characters: 1500 };

/** Turns in the outline and the breadcrumbs of a transcript; its observations fold. (The JSON extension outlines the source.) */
export class Outline implements vscode.DocumentSymbolProvider, vscode.FoldingRangeProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeFoldingRanges = this.changed.event;
  private readonly folded = new WeakSet<vscode.TextDocument>();

  constructor(private readonly documents: Documents) {}

  refresh(): void {
    this.changed.fire();
  }

  /** The editor asks once for each version of a document, so the answer waits until that is read. */
  async provideDocumentSymbols(document: vscode.TextDocument): Promise<vscode.DocumentSymbol[]> {
    const reading = await this.documents.reading(document);
    if (reading?.kind !== 'trajectory' || !reading.anchors) return [];
    const { anchors, trajectory } = reading;
    const turns = anchors.turns.map((a, i) => {
      const turn = trajectory.turns[i];
      return symbol(document, `Turn ${a.turn}`, turn?.queries.join(' · ') || turn?.ineligible || '', vscode.SymbolKind.Function, a);
    });
    const ofNone: vscode.DocumentSymbol[] = [];
    for (const line of anchors.lines ?? []) (turns[(line.turn ?? 0) - 1]?.children ?? ofNone).push(lineSymbol(document, line));
    const { final } = trajectory;
    if (anchors.final && final) turns.push(symbol(document, 'Answer', textOf(trajectory, final.answerSpan).trim(), vscode.SymbolKind.Constant, anchors.final));
    return [...ofNone, ...turns];
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    const annotated = this.documents.annotated(document);
    if (annotated) this.foldLong(annotated);
    return foldable(annotated).flatMap((span) => {
      const [start, end] = [document.positionAt(span.start).line, document.positionAt(span.end).line];
      return end > start ? [new vscode.FoldingRange(start, end)] : [];
    });
  }

  /** Once for each document, as soon as the editor has been given what can be folded: then its own command folds it. */
  private foldLong({ document, anchors }: Annotated): void {
    if (this.folded.has(document) || vscode.window.activeTextEditor?.document !== document) return;
    this.folded.add(document);
    const lines = (anchors?.turns ?? []).flatMap(({ observation }) => (observation && isLong(document, observation) ? [document.positionAt(observation.start).line] : []));
    if (lines.length === 0) return;
    setTimeout(() => {
      if (vscode.window.activeTextEditor?.document === document) void vscode.commands.executeCommand('editor.fold', { selectionLines: lines, levels: 1 });
    });
  }
}

function isLong(document: vscode.TextDocument, { start, end }: Span): boolean {
  return end - start > longest.characters || document.positionAt(end).line - document.positionAt(start).line > longest.lines;
}

function foldable(annotated: Annotated | undefined): Span[] {
  const anchors = annotated?.anchors;
  return anchors ? [...anchors.turns, ...(anchors.final ? [anchors.final] : [])].flatMap((a) => [a.whole, ...(a.observation ? [a.observation] : [])]) : [];
}

function lineSymbol(document: vscode.TextDocument, { name, kind, turns, at }: LineAnchor): vscode.DocumentSymbol {
  const whole = new vscode.Range(...rangeOf(document, at));
  return new vscode.DocumentSymbol(name, `${kind}, ${count(turns, 'turn')}`, vscode.SymbolKind.Interface, whole, whole);
}

function symbol(document: vscode.TextDocument, name: string, detail: string, kind: vscode.SymbolKind, anchor: TurnAnchor): vscode.DocumentSymbol {
  const range = (s: Span): vscode.Range => new vscode.Range(document.positionAt(s.start), document.positionAt(s.end));
  const whole = range(anchor.whole);
  return new vscode.DocumentSymbol(name, detail, kind, whole, whole.intersection(range(anchor.query)) ?? whole);
}
