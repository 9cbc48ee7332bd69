import type { Terminal } from './terminal';

/** 0: everything was done; 1: at least one file or rollout gave nothing, and each was named. 2 is {@link UsageError} and a policy that does not load. */
export type ExitCode = 0 | 1;

export interface Verb {
  /** Printed by `turnlens VERB --help`; the first line is its usage, the second what it does. */
  readonly help: string;
  run(argv: readonly string[], terminal: Terminal): Promise<ExitCode>;
}
