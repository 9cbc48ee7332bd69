/** What the suite writes about itself. A host's exit code proves nothing: one that is killed by a signal still reports 0. */
export interface Report {
  finished: boolean;
  passed: number;
  failed: number;
  skipped: number;
  /** The test that ran last. */
  current?: string;
}
