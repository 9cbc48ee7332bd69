import { LRUCache } from 'lru-cache';
import type * as vscode from 'vscode';
import { PolicyError } from '../replay/policy';
import type { TrajectoryScores } from '../scoring/model';
import { readSavedScores } from '../scoring/savedScores';
import type { Trajectory } from '../trajectory/model';
import type { ClearedFiles } from './clearedFiles';
import { mergeScores } from './mergeScores';
import { tell } from './policyFailure';
import { rolloutKey, type Rollout } from './rollout';
import { RunQueue, type RunProgress } from './runQueue';
import { mostShown, type ScoreBook, type ShownScores } from './scoreBook';
import type { ScoringSession } from './session';
import type { EditorSettings } from './settings';
import { TurnsDone } from './turnsDone';

export interface Target {
  readonly rollout: Rollout;
  readonly trajectory: Trajectory;
}

/** While the records of a run are read: how far that is, and whether the user stops it. */
export interface Gathering {
  say(message: string): void;
  readonly signal: AbortSignal;
}

/** What a run scores, read under its progress. Nothing: it has said why itself. */
export type Gather = (on: Gathering) => Promise<readonly Target[]>;

export interface RescoreOptions {
  readonly scope: 'trajectory' | 'question';
  readonly ignoreCache?: boolean;
}

/** What was scored by one command. */
export interface Run {
  readonly rollouts: readonly Rollout[];
  readonly scope: 'trajectory' | 'question';
}

/** The rollouts that a figure may depend on: those of its question that were scored with it. */
interface Batch {
  targets: readonly Target[];
  readonly run: Run;
  /** The last arithmetic that was begun on it. */
  last?: symbol;
}

/** Runs the scorer for the editor: one run at a time, with progress, cancel and restart; and keeps what is shown fresh without the policy. */
export class Rescoring {
  private readonly batches = new LRUCache<string, Batch>({ max: mostShown });
  /** Whose arithmetic no longer holds; done when one of its rollouts is looked at. */
  private readonly due = new Set<Batch>();
  private readonly queue = new RunQueue();

  constructor(
    private readonly session: ScoringSession,
    private readonly book: ScoreBook,
    private readonly settings: () => EditorSettings,
    /** What the documents show now. */
    private readonly latest: (rollout: Rollout) => Trajectory | undefined,
    private readonly cleared: ClearedFiles,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Resolves to whether everything was scored; what went wrong is shown, and not waited for. */
  async run(gather: Gather, options: RescoreOptions): Promise<boolean> {
    let gathered: Promise<readonly Target[]> | undefined;
    const once: Gather = (on) => (gathered ??= gather(on));
    try {
      const { targets, scores } = await this.queue.add(async (progress, signal) => {
        const read = await once({ say: (message) => progress.report({ message }), signal });
        return { targets: read, scores: read.length === 0 ? [] : await this.score(read, options, progress, signal) };
      });
      if (targets.length === 0) return false;
      this.show(targets, scores, options.scope);
      void this.session.remember().catch((e: unknown) => this.log.warn(`The policy's identity is not kept: ${String(e)}`));
      return true;
    } catch (e) {
      if (!(e instanceof PolicyError)) throw e;
      if (e.code === 'cancelled') this.log.info('Cancelled');
      else this.log.error(`${e.code}: ${e.message}`);
      this.session.failed(e);
      void tell(e).then(async (choice) => {
        if (choice === 'restart') await this.session.close();
        if (choice !== 'leave') await this.run(once, options);
      });
      return false;
    }
  }

  private async score(
    targets: readonly Target[],
    { scope, ignoreCache = false }: RescoreOptions,
    progress: RunProgress,
    signal: AbortSignal,
  ): Promise<readonly TrajectoryScores[]> {
    progress.report({ message: 'loading the policy' });
    const scorer = await this.session.scorer();
    const said = new TurnsDone(progress, targets);
    this.log.info(`Scoring ${targets.length} of ${targets[0]?.rollout.source ?? ''}, scope ${scope}`);
    return scorer.score(
      targets.map((t) => t.trajectory),
      { settings: this.settings().credit, scope, ignoreCache, signal },
      {
        requests: () => undefined,
        turns: (done) => said.turns(done),
        tokens: (done, total) => said.tokens(done / total),
        trajectory: (index, scores) => {
          const target = targets[index];
          if (target) this.show([target], [scores], 'trajectory');
        },
        // A cancel keeps what is finished as it stands then.
        question: (indices, scores) => this.show(indices.flatMap((index) => targets[index] ?? []), scores, 'question'),
      },
    );
  }

  private show(targets: readonly Target[], scores: readonly TrajectoryScores[], scope: 'trajectory' | 'question'): void {
    const run: Run = { rollouts: targets.map((t) => t.rollout), scope };
    for (const together of scope === 'question' ? byQuestion(targets) : targets.map((t) => [t])) {
      const batch: Batch = { targets: together, run };
      for (const { rollout } of together) this.batches.set(rolloutKey(rollout), batch);
    }
    for (const source of new Set(targets.map((t) => t.rollout.source))) this.cleared.delete(source);
    this.book.set(targets.flatMap(({ rollout }, i) => (scores[i] ? [[rollout, { scores: scores[i], freshness: 'fresh' }] as const] : [])));
    this.freshen(targets.flatMap((target) => this.editedSince(target)));
  }

  /** The text may have changed while it was scored. */
  private editedSince({ rollout, trajectory }: Target): Target[] {
    const now = this.latest(rollout);
    return now && now !== trajectory ? [{ rollout, trajectory: now }] : [];
  }

  /** The command that last scored a rollout. */
  lastRun(rollout: Rollout): Run | undefined {
    return this.batches.get(rolloutKey(rollout))?.run;
  }

  /** After an edit or a change of settings: the same arithmetic from what is cached, or stale. Never runs the policy. */
  freshen(changed: readonly Target[]): void {
    for (const target of changed) {
      const batch = this.batches.get(rolloutKey(target.rollout));
      if (!batch) continue;
      batch.targets = batch.targets.map((t) => (rolloutKey(t.rollout) === rolloutKey(target.rollout) ? target : t));
      this.due.add(batch);
    }
    this.catchUp(changed.map((t) => t.rollout));
  }

  /** Settings changed. */
  settingsChanged(visible: readonly Rollout[]): void {
    for (const batch of this.batches.values()) this.due.add(batch);
    this.catchUp(visible);
  }

  /** Does the arithmetic that is due for what is looked at. */
  catchUp(visible: readonly Rollout[]): void {
    for (const rollout of visible) {
      const batch = this.batches.get(rolloutKey(rollout));
      if (batch && this.due.delete(batch)) void this.recompute(batch);
    }
  }

  /** A document that shows nothing yet, or what its file holds: what the cache knows of it, else what the file holds, unless its scores were cleared. */
  async remember(target: Target): Promise<void> {
    if (this.cleared.has(target.rollout.source)) return;
    const scorer = await this.session.recall();
    const options = { settings: this.settings().credit, scope: 'trajectory' } as const;
    await scorer?.prepare([target.trajectory], options);
    if ((this.book.get(target.rollout)?.freshness ?? 'saved') !== 'saved' || this.cleared.has(target.rollout.source)) return;
    const [scores] = scorer?.fromCache([target.trajectory], options) ?? [];
    if (scores) return this.show([target], [scores], 'trajectory');
    const saved = readSavedScores(target.trajectory);
    if (saved) this.book.set([[target.rollout, { scores: saved, freshness: 'saved' }]]);
    else this.book.delete(target.rollout);
  }

  forget(source: string): void {
    this.cleared.add(source);
    for (const key of [...this.batches.keys()]) if (key.startsWith(`${source}#`)) this.batches.delete(key);
    this.book.clear(source);
  }

  private async recompute(batch: Batch): Promise<void> {
    const begun = Symbol();
    batch.last = begun;
    const { scope } = batch.run;
    const options = { settings: this.settings().credit, scope };
    const scorer = await this.session.recall();
    await scorer?.prepare(batch.targets.map((t) => t.trajectory), options);
    // Of a newer text, or by newer settings.
    if (batch.last !== begun) return;
    // What was cleared or scored meanwhile shows something newer.
    const targets = batch.targets.filter(({ rollout }) => this.batches.get(rolloutKey(rollout)) === batch);
    const trajectories = batch.targets.map((t) => t.trajectory);
    const whole = scorer?.fromCache(trajectories, options) ?? [];
    const isComplete = whole.length > 0 && whole.every((s) => s !== undefined);
    const partial = isComplete ? [] : (scorer?.fromCache(trajectories, { ...options, partial: true }) ?? []);
    const entries = targets.flatMap((target): (readonly [Rollout, ShownScores])[] => {
      const i = batch.targets.indexOf(target);
      const before = this.book.get(target.rollout);
      const now = isComplete ? whole[i] : undefined;
      if (now) return [[target.rollout, { scores: now, freshness: 'fresh' }]];
      return before ? [[target.rollout, { scores: mergeScores(before.scores, partial[i]), freshness: 'stale' }]] : [];
    });
    this.book.set(entries);
  }
}

/** Rollouts of one question in one list; one that names no question stands alone. */
function byQuestion(targets: readonly Target[]): (readonly Target[])[] {
  const named = new Map<string, Target[]>();
  const lists: Target[][] = [];
  for (const target of targets) {
    const { group } = target.trajectory;
    const list = group === undefined ? undefined : named.get(group);
    if (list) list.push(target);
    else {
      lists.push([target]);
      if (group !== undefined) named.set(group, lists.at(-1) ?? []);
    }
  }
  return lists;
}
