import * as vscode from 'vscode';
import type { Span, Trajectory } from '../trajectory/model';
import { renderTranscript } from '../trajectory/transcript';
import { visible } from '../trajectory/visible';
import { partScheme } from './ids';
import { fileWords, recordWords, rolloutOf, type Rollout } from './rollout';
import { name, type SourceFiles } from './sources';

/** Characters of a part that are shown: VS Code gives extensions no document of more than 50 MB. */
const most = 40_000_000;

/** A part that a transcript shortens, as a document of its own. */
export class WholeParts implements vscode.TextDocumentContentProvider {
  constructor(
    private readonly sources: SourceFiles,
    readonly onDidChange: vscode.Event<vscode.Uri>,
  ) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [rollout, span] = [rolloutOf(uri.query), spanOf(uri.query)];
    if (!rollout || !span) return '';
    const read = await this.sources.read(rollout);
    if (read.kind === 'problem') return `${read.message}\n`;
    const { text } = read.trajectory;
    if (!(await this.isPart(read.trajectory, rollout, span))) return `${movedWords(rollout, span)}\n`;
    const end = Math.min(span.end, span.start + most);
    const left = Math.min(span.end, text.length) - end;
    const whole = visible(text.slice(span.start, end), false);
    return left > 0 ? `${whole}\n… ${left} more characters are not shown.\n` : whole;
  }

  /** Where the record was written anew, other words may stand at these characters, or the middle of some. */
  private async isPart(trajectory: Trajectory, { line }: Rollout, { start, end }: Span): Promise<boolean> {
    const { shortened = [] } = renderTranscript(trajectory, (await this.sources.options()).dialects, line).anchors;
    return shortened.some(({ text }) => text.start === start && text.end === end);
  }
}

const movedWords = (rollout: Rollout, { start, end }: Span): string =>
  `${name(vscode.Uri.parse(rollout.source))}, ${recordWords(rollout)}, has changed: characters ${start} to ${end} are no longer a part that its transcript shortens. Open that transcript to see the record as it is.`;

export function partUri(rollout: Rollout, { start, end }: Span): vscode.Uri {
  const name = `${vscode.Uri.parse(rollout.source).path} · ${fileWords(rollout)} · characters ${start} to ${end}.txt`;
  return vscode.Uri.from({ scheme: partScheme, path: name, query: JSON.stringify({ ...rollout, start, end }) });
}

/** What stands at a position of a document, as an offset of {@link Trajectory.text}; `undefined`: the document is no part. */
export function offsetInText(document: vscode.TextDocument, position: vscode.Position): number | undefined {
  const span = document.uri.scheme === partScheme ? spanOf(document.uri.query) : undefined;
  return span && Math.min(span.start + document.offsetAt(position), span.end);
}

/** `undefined`: not a query that {@link partUri} made. */
function spanOf(query: string): Span | undefined {
  try {
    const { start, end } = JSON.parse(query) as Partial<Span>;
    return Number.isSafeInteger(start) && Number.isSafeInteger(end) ? { start: start ?? 0, end: end ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}
