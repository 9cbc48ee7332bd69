import type { OpenSource } from '../scoring/fileSource';
import { openUnpackers } from '../scoring/unpackers';
import type { Dialect } from '../trajectory/dialect';
import { openTrajectoryFile, type TrajectoryFile } from '../trajectory/file';

/** Told of the file with the records found so far. */
export type FoundListener = (file: TrajectoryFile) => void | Promise<void>;

/** What a file looks like from outside. */
export interface Stamp {
  /** Equal: nothing has changed. */
  readonly text: string;
  /** Bytes. */
  readonly size: number;
}

/** One file of trajectories while it is open: what is found of it so far, all of it, and what is appended to it. */
export class OpenFile {
  /** The file with the records found so far; absent before its kind is known. */
  soFar: TrajectoryFile | undefined;
  /** Records are still being looked for. */
  searching = true;
  whole: Promise<TrajectoryFile>;
  /** Whether the file with the present stamp is still this one. */
  private followed: Promise<boolean> = Promise.resolve(true);
  private readonly listeners = new Set<FoundListener>();
  private readonly unpackers = openUnpackers();
  private readonly stop = new AbortController();
  private bytes: OpenSource | undefined;
  private users = 0;
  private isLetGo = false;

  /** @param name for messages */
  constructor(
    private readonly name: string,
    open: () => Promise<OpenSource>,
    /** Of the file when it was last looked at. */
    public stamp: Stamp,
    /** The user's own. */
    private readonly dialects: readonly Dialect[] = [],
  ) {
    this.whole = this.open(open);
  }

  /** `listener` is told whenever more records are found, until the whole is there; what it gives back is waited for. */
  async read(listener?: FoundListener): Promise<TrajectoryFile> {
    if (listener) this.listeners.add(listener);
    this.use(this.whole);
    try {
      return await this.whole;
    } finally {
      if (listener) this.listeners.delete(listener);
    }
  }

  /**
   * Looks at what was appended. `false`: this is another file now, or one that cannot be followed. So is one that was written to and is no longer than
   * before: what differs may lie anywhere in it.
   */
  async follow(stamp: Stamp): Promise<boolean> {
    if (stamp.text === this.stamp.text) return this.followed;
    const isLonger = stamp.size > this.stamp.size;
    this.stamp = stamp;
    const before = this.whole;
    const followed = before.then(async (file) => {
      // One that was put in the place of the opened file leaves that one as it was.
      if (!isLonger || !file.grow || !(await this.bytes?.isNamed())) return false;
      return file.grow(this.stop.signal);
    });
    this.whole = followed.then(
      () => before,
      () => before,
    );
    this.followed = followed.catch(() => false);
    return this.followed;
  }

  /** Counts as in use for as long as this takes, whatever comes of it. */
  use(until: Promise<unknown>): void {
    this.users++;
    const done = (): void => {
      this.users--;
      if (this.users === 0 && this.isLetGo) void this.close();
    };
    until.then(done, done);
  }

  /** Closes the file, now or when the last one is done with it. */
  letGo(): void {
    this.isLetGo = true;
    if (this.users === 0) void this.close();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.whole.catch(() => undefined);
    await this.bytes?.close();
    await this.unpackers.close();
  }

  private async open(open: () => Promise<OpenSource>): Promise<TrajectoryFile> {
    this.bytes = await open();
    const file = await openTrajectoryFile(this.bytes, this.name, this.stop.signal, {
      unpackers: this.unpackers,
      dialects: this.dialects,
      found: async (file) => {
        this.soFar = file;
        for (const listener of [...this.listeners]) await listener(file);
      },
    });
    this.soFar = file;
    this.searching = false;
    return file;
  }
}
