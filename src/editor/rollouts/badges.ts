import * as vscode from 'vscode';

const scheme = 'turnlens-listed';

export interface Badge {
  /** Two characters at most. */
  readonly text?: string;
  readonly tooltip?: string;
  /** Of the label, by the id of a theme colour. */
  readonly color?: string;
}

/** The address of a line that wears a badge: VS Code asks for decorations by address, so that it holds all there is to say. */
export const badgeUri = (badge: Badge): vscode.Uri => vscode.Uri.from({ scheme, path: '/', query: JSON.stringify(badge) });

/** What stands at the right edge of a line of the view. */
export class Badges implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    const { text, tooltip, color } = JSON.parse(uri.query) as Badge;
    return new vscode.FileDecoration(text, tooltip, color === undefined ? undefined : new vscode.ThemeColor(color));
  }
}
