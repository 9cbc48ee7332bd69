/** A built suite and where it runs: what every host is given. All paths are absolute. */
export interface Suite {
  readonly extension: string;
  /** The module whose `run` the extension host calls. */
  readonly tests: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}
