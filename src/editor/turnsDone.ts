import type * as vscode from 'vscode';
import { count } from '../scoring/format';
import type { Target } from './rescore';

/** Counts turns for people. A single trajectory is run in one go, so that its bar follows the tokens; that of several follows the turns. */
export class TurnsDone {
  private readonly total: number;
  private done = 0;
  private share = 0;

  constructor(
    private readonly progress: vscode.Progress<{ message?: string; increment?: number }>,
    private readonly targets: readonly Target[],
  ) {
    this.total = targets.reduce((sum, { trajectory }) => sum + trajectory.turns.length, 0);
  }

  turns(done: number): void {
    this.done = done;
    this.report(this.targets.length === 1 ? this.share : done / this.total);
  }

  /** @param share of the run that is under way, 0 to 1 */
  tokens(share: number): void {
    this.report(this.targets.length === 1 ? share : this.share);
  }

  private report(share: number): void {
    const increment = Math.max(0, 100 * (share - this.share));
    this.share = Math.max(share, this.share);
    const among = this.targets.length === 1 ? '' : ` in ${this.targets.length} rollouts`;
    this.progress.report({ message: `${this.done} of ${count(this.total, 'turn')}${among}`, increment });
  }
}
