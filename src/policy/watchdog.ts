/** How long silence is borne, milliseconds: the longer of `floorMs` and `factor` times the last step. */
export interface Patience {
  readonly floorMs: number;
  readonly factor: number;
}

export const defaultPatience: Patience = { floorMs: 60_000, factor: 10 };

/** Calls `silent` when no sign of life comes for too long while it is on; again after each further such time. */
export class Watchdog {
  readonly #patience: Patience;
  readonly #silent: (forMs: number) => void;
  #lastStep = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(patience: Patience, silent: (forMs: number) => void) {
    this.#patience = patience;
    this.#silent = silent;
  }

  /** Starts watching, as of now. */
  start(): void {
    this.#since = performance.now();
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** A sign of life, and how long the last step took or the next may take. */
  alive(stepMs?: number): void {
    if (stepMs !== undefined) this.#lastStep = stepMs;
    this.#since = performance.now();
    if (this.#timer) this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const patience = Math.max(this.#patience.floorMs, this.#patience.factor * this.#lastStep);
    this.#timer = setTimeout(() => {
      this.#silent(performance.now() - this.#since);
      if (this.#timer) this.#arm();
    }, patience);
    this.#timer.unref();
  }
}
