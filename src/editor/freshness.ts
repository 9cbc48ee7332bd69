import * as vscode from 'vscode';
import type { Annotated } from './annotated';
import type { Documents } from './documents';
import { debounced } from './debounce';
import type { Rescoring, Target } from './rescore';
import type { ScoreBook } from './scoreBook';

/** Keeps what is shown true to the text and the settings, from the cache alone: at once what is in sight, the rest when it comes into sight. */
export class Freshness implements vscode.Disposable {
  private readonly settled = debounced(100, () => {
    const inSight = this.inSight();
    this.rescoring.settingsChanged(inSight.map(({ rollout }) => rollout));
    for (const annotated of inSight) if (!this.isScored(annotated)) void this.rescoring.remember(annotated);
  });
  private readonly disposables: vscode.Disposable;

  constructor(
    private readonly documents: Documents,
    private readonly book: ScoreBook,
    private readonly rescoring: Rescoring,
  ) {
    this.disposables = vscode.Disposable.from(
      this.settled,
      vscode.window.onDidChangeVisibleTextEditors(() => this.rescoring.catchUp(this.inSight().map(({ rollout }) => rollout))),
    );
  }

  /** A document was read again, or opened: fresh, stale, or known from before. */
  edited(uri: vscode.Uri): void {
    const reading = this.documents.get(uri);
    if (reading?.kind !== 'trajectory') return;
    if (this.isScored(reading)) this.rescoring.freshen([reading]);
    else void this.rescoring.remember(reading);
  }

  /** Records were read again that may be others now; nothing is known of what shows no scores. */
  reread(targets: readonly Target[]): void {
    const shown = targets.filter(({ rollout }) => this.book.get(rollout));
    this.rescoring.freshen(shown.filter((target) => this.isScored(target)));
    for (const target of shown) if (!this.isScored(target)) void this.rescoring.remember(target);
  }

  /** And not by what its file holds. */
  private isScored({ rollout }: Target): boolean {
    return (this.book.get(rollout)?.freshness ?? 'saved') !== 'saved';
  }

  settingsChanged(): void {
    this.settled('settings');
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private inSight(): Annotated[] {
    return vscode.window.visibleTextEditors.flatMap(({ document }) => this.documents.annotated(document) ?? []);
  }
}
