import { plainLines } from './plainText';

/** Why everything was stopped. */
export class Stop extends Error {
  constructor(readonly exitCode: number) {
    super('stopped');
    this.name = 'Stop';
  }
}

/** Results on standard output, everything else on standard error. */
export interface Terminal {
  /** Aborted, with a {@link Stop}, by Ctrl+C, by a reader that has closed standard output, and where that cannot be written. */
  readonly signal: AbortSignal;
  /** Cells in a line of the table. */
  readonly columns: number;
  /** Whether standard error is looked at by a person. */
  readonly live: boolean;
  /** Resolves when the reader is ready for more, so that nothing piles up in memory. Rejects with {@link Stop} once stopped. */
  print(text: string): Promise<void>;
  /** Resolves once all of it is written. Rejects with {@link Stop} where that failed. */
  flush(): Promise<void>;
  /** One message, on lines of its own. Text from files must already be plain. */
  say(message: string): void;
  /** A line that the next status or message replaces; where nobody looks, nothing. */
  status(line: string): void;
}

/** Unattended output is as wide as a table needs to be read well. */
const unattendedColumns = 120;
const narrowest = 60;
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/** The process's own streams. A second Ctrl+C ends the process at once. */
export function openTerminal(): Terminal {
  const controller = new AbortController();
  const { stdout, stderr } = process;
  let shown = '';

  for (const [name, code] of Object.entries(signals)) {
    process.once(name, () => {
      process.once(name, () => process.exit(code));
      controller.abort(new Stop(code));
    });
  }
  const erase = (): void => {
    if (shown !== '') stderr.write('\r\x1b[K');
    shown = '';
  };
  const say = (message: string): void => {
    erase();
    stderr.write(`turnlens: ${plainLines(message)}\n`);
  };
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // `turnlens … | head` closes the pipe: that is the reader's wish and no error.
    if (code !== 'EPIPE') say(`Standard output could not be written (${code ?? 'unknown error'}).`);
    controller.abort(new Stop(code === 'EPIPE' ? 0 : 1));
  });
  stderr.on('error', () => undefined);

  return {
    signal: controller.signal,
    columns: stdout.isTTY && stdout.columns > 0 ? Math.max(narrowest, stdout.columns) : unattendedColumns,
    live: stderr.isTTY,
    async print(text) {
      controller.signal.throwIfAborted();
      erase();
      if (!stdout.write(text)) await drained(stdout, controller.signal);
    },
    async flush() {
      await new Promise<void>((resolve) => stdout.write('', () => setImmediate(resolve)));
      controller.signal.throwIfAborted();
    },
    say,
    status(line) {
      if (!stderr.isTTY || line === shown) return;
      erase();
      stderr.write(line);
      shown = line;
    },
  };
}

async function drained(stream: NodeJS.WriteStream, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const done = (): void => {
      stream.off('drain', done);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason as Stop);
      else resolve();
    };
    stream.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
