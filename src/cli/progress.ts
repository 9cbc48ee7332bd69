import type { Terminal } from './terminal';

/** How far the work is: a line that rewrites itself where a person looks, else a line now and then. */
export interface Progress {
  /** Turns of the rollouts at hand that are done. */
  turns(done: number, total: number): void;
  /** One more rollout has its scores, or its reason. */
  rollout(): void;
}

const sparseMs = 15_000;
const liveMs = 100;

export function trackFile(terminal: Terminal, name: string, rollouts: number, now: () => number = Date.now): Progress {
  let finished = 0;
  let last = now();
  const tell = (detail: string): void => {
    const time = now();
    if (time - last < (terminal.live ? liveMs : sparseMs)) return;
    last = time;
    const line = `${name}: ${finished} of ${rollouts} ${rollouts === 1 ? 'rollout' : 'rollouts'}${detail}`;
    if (terminal.live) terminal.status(line);
    else terminal.say(line);
  };
  return {
    turns: (done, total) => tell(`, ${done} of ${total} turns`),
    rollout() {
      finished += 1;
      tell('');
    },
  };
}
