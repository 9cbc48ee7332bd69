import type { CreditSettings } from '../credit/settings';
import type { PolicyContract } from '../replay/contract';
import type { Device } from '../replay/device';
import type { Policy } from '../replay/policy';
import type { Trajectory } from '../trajectory/model';
import type { TrajectoryScores } from './model';
import type { ReplayPlan } from './replayPlan';

/** How the numbers of a policy are made, as far as it is known without loading it. */
export interface PolicyIdentity {
  /** For people. */
  readonly name?: string;
  readonly hash: string;
  /** After the user's settings. */
  readonly contract: PolicyContract;
  readonly device: Device;
  readonly dtype: string;
  readonly activations: string;
}

/** What is known of a folder alone. */
export type ForecastIdentity = Omit<PolicyIdentity, 'hash' | 'device'> & { readonly hash?: string; readonly device?: Device };

export interface ScoreProgress {
  /** Requests answered (cached ones at once) and in all, over the trajectories of this call. */
  requests(done: number, total: number): void;
  /** A turn counts when its state's answer and its gain are in. */
  turns(done: number, total: number): void;
  /** Tokens that the policy has run and has to run, in the run that is under way. */
  tokens?(done: number, total: number): void;
  /** With `plan`: once, when everything is there. */
  planned?(plan: ReplayPlan): void;
  /** Scores of one trajectory, over the trajectory alone, as soon as they are complete. */
  trajectory?(index: number, scores: TrajectoryScores): void;
  /** In the scope of the question: scores of all its trajectories of this call, over them, as soon as they are complete. */
  question?(indices: readonly number[], scores: readonly TrajectoryScores[]): void;
}

export interface ScoreOptions {
  readonly settings: CreditSettings;
  /** `question`: normalise over all trajectories of this call that share a group. */
  readonly scope: 'trajectory' | 'question';
  readonly ignoreCache?: boolean;
  readonly tokens?: boolean;
  /** Tell the plan; costs encoding all that is asked, cached or not. */
  readonly plan?: boolean;
  /** `fromCache` alone: give what there is, the rest `not scored` (after an edit, the figures that still hold). */
  readonly partial?: boolean;
  readonly signal?: AbortSignal;
}

/** The one engine behind the editor and the command line. */
export interface Scorer {
  /**
   * Scores trajectories in order. What was finished before a cancel or a crash stays cached: scoring again goes on from there.
   * Rejects with PolicyError.
   */
  score(trajectories: readonly Trajectory[], options: ScoreOptions, on: ScoreProgress): Promise<readonly TrajectoryScores[]>;
  /** What scoring would ask of the policy, and how much of that is answered already; nothing is run. Rejects with PolicyError. */
  plan(trajectories: readonly Trajectory[], options: ScoreOptions): Promise<ReplayPlan>;
  /**
   * The same arithmetic from what is cached alone, without the policy: `undefined` where a request of the trajectory was never answered.
   * This is what changes of α, λ, ε, metric or thresholds run. It uses the identity as last known: nothing is there before {@link identity} or a score.
   */
  fromCache(trajectories: readonly Trajectory[], options: ScoreOptions): readonly (TrajectoryScores | undefined)[];
  /** Brings near what {@link fromCache} will look for, without blocking. */
  prepare(trajectories: readonly Trajectory[], options: ScoreOptions): Promise<void>;
  /** Reads anew how numbers are made, without loading the policy. Absent: not known before it is loaded. Rejects with PolicyError. */
  identity(): Promise<PolicyIdentity | undefined>;
  readonly policy: Policy;
}
