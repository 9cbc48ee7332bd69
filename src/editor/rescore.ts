import { LRUCache } from 'lru-cache';
import * as vscode from 'vscode';
import { PolicyError } from '../replay/policy';
import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';
import { mergeScores } from './mergeScores';
import { tell } from './policyFailure';
import { rolloutKey, type Rollout } from './rollout';
import { mostShown, type ScoreBook, type ShownScores } from './scoreBook';
import type { ScoringSession } from './session';
import type { EditorSettings } from './settings';

export interface Target {
  readonly rollout: Rollout;
  readonly trajectory: Trajectory;
}

export interface RescoreOptions {
  readonly scope: 'trajectory' | 'question';
  readonly ignoreCache?: boolean;
}

/** What was scored together: normalised figures depend on all of it. */
interface Batch {
  targets: readonly Target[];
  readonly scope: 'trajectory' | 'question';
}

/** Runs the scorer for the editor: one run at a time, with progress, cancel and restart; and keeps what is shown fresh without the policy. */
export class Rescoring {
  private readonly batches = new LRUCache<string, Batch>({ max: mostShown });
  private readonly cleared = new Set<string>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: ScoringSession,
    private readonly book: ScoreBook,
    private readonly settings: () => EditorSettings,
    /** What the documents show now. */
    private readonly latest: (rollout: Rollout) => Trajectory | undefined,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Resolves to whether everything was scored; what went wrong is shown, and not waited for. */
  async run(targets: readonly Target[], options: RescoreOptions): Promise<boolean> {
    const next = this.queue.then(() => this.withProgress(targets, options));
    this.queue = next.catch(() => undefined);
    try {
      this.show(targets, await next, options.scope);
      this.freshen(targets.flatMap(({ rollout, trajectory }) => this.editedSince(rollout, trajectory)));
      return true;
    } catch (e) {
      if (!(e instanceof PolicyError)) throw e;
      this.log.error(`${e.code}: ${e.message}`);
      void tell(e).then(async (choice) => {
        if (choice === 'restart') await this.session.close();
        if (choice !== 'leave') await this.run(targets, options);
      });
      return false;
    }
  }

  /** The text may have changed while it was scored. */
  private editedSince(rollout: Rollout, trajectory: Trajectory): Target[] {
    const now = this.latest(rollout);
    return now && now !== trajectory ? [{ rollout, trajectory: now }] : [];
  }

  private withProgress(targets: readonly Target[], options: RescoreOptions): Thenable<readonly TrajectoryScores[]> {
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, cancellable: true, title: 'Turnlens' }, (progress, token) =>
      this.score(targets, options, progress, token),
    );
  }

  private async score(
    targets: readonly Target[],
    { scope, ignoreCache = false }: RescoreOptions,
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ): Promise<readonly TrajectoryScores[]> {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    progress.report({ message: 'loading the policy' });
    const scorer = await this.session.scorer();
    let reported = 0;
    this.log.info(`Scoring ${targets.length} of ${targets[0]?.rollout.source ?? ''}, scope ${scope}`);
    return scorer.score(
      targets.map((t) => t.trajectory),
      { settings: this.settings().credit, scope, ignoreCache, signal: abort.signal },
      {
        requests: () => undefined,
        turns: (done, total) => {
          const share = total === 0 ? 100 : (100 * done) / total;
          progress.report({ message: `${done} of ${total} turns`, increment: share - reported });
          reported = share;
        },
        trajectory: (index, scores) => {
          const target = targets[index];
          if (target) this.show([target], [scores], 'trajectory');
        },
      },
    );
  }

  private show(targets: readonly Target[], scores: readonly TrajectoryScores[], scope: 'trajectory' | 'question'): void {
    const batch: Batch = { targets, scope };
    for (const { rollout } of targets) {
      this.batches.set(rolloutKey(rollout), batch);
      this.cleared.delete(rollout.source);
    }
    this.book.set(targets.flatMap(({ rollout }, i) => (scores[i] ? [[rollout, { scores: scores[i], freshness: 'fresh' }] as const] : [])));
  }

  /** After an edit or a change of settings: the same arithmetic from what is cached, or stale. Never runs the policy. */
  freshen(changed: readonly Target[]): void {
    const batches = new Set<Batch>();
    for (const target of changed) {
      const batch = this.batches.get(rolloutKey(target.rollout));
      if (!batch) continue;
      batch.targets = batch.targets.map((t) => (rolloutKey(t.rollout) === rolloutKey(target.rollout) ? target : t));
      batches.add(batch);
    }
    for (const batch of batches) this.recompute(batch);
  }

  /** Settings changed. */
  recomputeAll(): void {
    for (const batch of new Set(this.batches.values())) this.recompute(batch);
  }

  /** A document that shows nothing yet: what the cache knows of it, unless its scores were cleared. */
  remember(target: Target): void {
    const scorer = this.session.known;
    if (!scorer || this.cleared.has(target.rollout.source)) return;
    const [scores] = scorer.fromCache([target.trajectory], { settings: this.settings().credit, scope: 'trajectory' });
    if (scores) this.show([target], [scores], 'trajectory');
  }

  forget(source: string): void {
    this.cleared.add(source);
    for (const key of [...this.batches.keys()]) if (key.startsWith(`${source}#`)) this.batches.delete(key);
    this.book.clear(source);
  }

  private recompute({ targets, scope }: Batch): void {
    const trajectories = targets.map((t) => t.trajectory);
    const scores = this.session.known?.fromCache(trajectories, { settings: this.settings().credit, scope, partial: true }) ?? [];
    const whole = this.session.known?.fromCache(trajectories, { settings: this.settings().credit, scope }) ?? [];
    const complete = whole.length > 0 && whole.every((s) => s !== undefined);
    const entries: (readonly [Rollout, ShownScores])[] = [];
    for (const [i, { rollout }] of targets.entries()) {
      const before = this.book.get(rollout);
      const now = complete ? whole[i] : undefined;
      if (now) entries.push([rollout, { scores: now, freshness: 'fresh' }]);
      else if (before) entries.push([rollout, { scores: mergeScores(before.scores, scores[i]), freshness: 'stale' }]);
    }
    this.book.set(entries);
  }
}
