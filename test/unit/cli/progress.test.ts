import { describe, expect, it } from 'vitest';

import { trackFile } from '../../../src/cli/progress';
import type { Terminal } from '../../../src/cli/terminal';

function watched(live: boolean): { terminal: Terminal; lines: string[]; clock: { ms: number } } {
  const lines: string[] = [];
  const terminal: Terminal = {
    signal: new AbortController().signal,
    columns: 80,
    live,
    print: () => Promise.resolve(),
    flush: () => Promise.resolve(),
    say: (line) => void lines.push(`said ${line}`),
    status: (line) => void lines.push(`status ${line}`),
  };
  return { terminal, lines, clock: { ms: 0 } };
}

describe('progress', () => {
  it('rewrites a line where a person looks, at most ten times a second', () => {
    const { terminal, lines, clock } = watched(true);
    const progress = trackFile(terminal, 'a.jsonl', 2, () => clock.ms);
    progress.turns(1, 6);
    clock.ms = 100;
    progress.turns(2, 6);
    clock.ms = 150;
    progress.turns(3, 6);
    clock.ms = 300;
    progress.rollout();
    expect(lines).toEqual(['status a.jsonl: 0 of 2 rollouts, 2 of 6 turns', 'status a.jsonl: 1 of 2 rollouts']);
  });

  it('is a line now and then elsewhere', () => {
    const { terminal, lines, clock } = watched(false);
    const progress = trackFile(terminal, 'a.traj', 1, () => clock.ms);
    for (clock.ms = 0; clock.ms < 31_000; clock.ms += 1000) progress.turns(clock.ms / 1000, 40);
    expect(lines).toEqual(['said a.traj: 0 of 1 rollout, 15 of 40 turns', 'said a.traj: 0 of 1 rollout, 30 of 40 turns']);
  });
});
