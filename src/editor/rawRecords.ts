import * as vscode from 'vscode';
import { rawScheme } from './ids';
import { fileWords, rolloutOf, type Rollout } from './rollout';
import type { SourceFiles } from './sources';

/** Bytes of a record that are shown: editors get slow far above. */
const most = 2 * 2 ** 20;

/** A record as it stands in its file, for files that no editor holds. */
export class RawRecords implements vscode.TextDocumentContentProvider {
  constructor(
    private readonly sources: SourceFiles,
    readonly onDidChange: vscode.Event<vscode.Uri>,
  ) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const rollout = rolloutOf(uri.query);
    if (!rollout) return '';
    const { text, left } = await this.sources.raw(rollout, most);
    return left === 0 ? text : `${text}\n… ${left} more bytes of this record are not shown.\n`;
  }
}

export function rawUri(rollout: Rollout): vscode.Uri {
  return vscode.Uri.from({ scheme: rawScheme, path: `${vscode.Uri.parse(rollout.source).path} · ${fileWords(rollout)}.raw`, query: JSON.stringify(rollout) });
}
