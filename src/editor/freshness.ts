import type * as vscode from 'vscode';
import type { Documents } from './documents';
import { debounced } from './debounce';
import type { Rescoring } from './rescore';
import type { ScoreBook } from './scoreBook';

/** Keeps what is shown true to the text and the settings, from the cache alone. */
export class Freshness implements vscode.Disposable {
  private readonly settled = debounced(100, () => this.rescoring.recomputeAll());

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
    private readonly rescoring: Rescoring,
  ) {}

  /** A document was read again, or opened: fresh, stale, or known from before. */
  edited(uri: vscode.Uri): void {
    const reading = this.documents.get(uri);
    if (reading?.kind !== 'trajectory') return;
    if (this.book.get(reading.rollout)) this.rescoring.freshen([reading]);
    else this.rescoring.remember(reading);
  }

  settingsChanged(): void {
    this.settled('settings');
  }

  dispose(): void {
    this.settled.dispose();
  }
}
