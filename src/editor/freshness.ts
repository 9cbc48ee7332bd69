import * as vscode from 'vscode';
import type { Documents } from './documents';
import { debounced } from './debounce';
import type { Rescoring } from './rescore';
import type { Rollout } from './rollout';
import type { ScoreBook } from './scoreBook';

/** Keeps what is shown true to the text and the settings, from the cache alone: at once what is in sight, the rest when it comes into sight. */
export class Freshness implements vscode.Disposable {
  private readonly settled = debounced(100, () => this.rescoring.settingsChanged(this.inSight()));
  private readonly disposables: vscode.Disposable;

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
    private readonly rescoring: Rescoring,
  ) {
    this.disposables = vscode.Disposable.from(
      this.settled,
      vscode.window.onDidChangeVisibleTextEditors(() => this.rescoring.catchUp(this.inSight())),
    );
  }

  /** A document was read again, or opened: fresh, stale, or known from before. */
  edited(uri: vscode.Uri): void {
    const reading = this.documents.get(uri);
    if (reading?.kind !== 'trajectory') return;
    if ((this.book.get(reading.rollout)?.freshness ?? 'saved') === 'saved') void this.rescoring.remember(reading);
    else this.rescoring.freshen([reading]);
  }

  settingsChanged(): void {
    this.settled('settings');
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private inSight(): Rollout[] {
    return vscode.window.visibleTextEditors.flatMap(({ document }) => this.documents.annotated(document)?.rollout ?? []);
  }
}
