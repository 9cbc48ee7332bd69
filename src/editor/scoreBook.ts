import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import type { TrajectoryScores } from '../scoring/model';
import { rolloutKey, type Rollout } from './rollout';
import type { Standing } from './standing';

export interface ShownScores {
  readonly scores: TrajectoryScores;
  readonly freshness: Standing;
}

/** More than a person looks at; the requests' results stay in the cache all the same. */
export const mostShown = 5000;

/** What is shown of each rollout, until it is scored again or cleared. */
export class ScoreBook implements vscode.Disposable {
  private readonly shown = new LRUCache<string, ShownScores>({ max: mostShown });
  private readonly changed = new vscode.EventEmitter<void>();
  /** Once for each batch. */
  readonly onDidChange = this.changed.event;

  get(rollout: Rollout): ShownScores | undefined {
    return this.shown.get(rolloutKey(rollout));
  }

  set(entries: Iterable<readonly [Rollout, ShownScores]>): void {
    let any = false;
    for (const [rollout, shown] of entries) {
      this.shown.set(rolloutKey(rollout), shown);
      any = true;
    }
    if (any) this.changed.fire();
  }

  delete(rollout: Rollout): void {
    if (this.shown.delete(rolloutKey(rollout))) this.changed.fire();
  }

  /** Whether anything of a file is shown. */
  holds(source: string): boolean {
    for (const key of this.shown.keys()) if (key.startsWith(`${source}#`)) return true;
    return false;
  }

  /** Every rollout of a file. */
  clear(source: string): void {
    for (const key of [...this.shown.keys()]) if (key.startsWith(`${source}#`)) this.shown.delete(key);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
