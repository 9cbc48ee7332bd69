import type { Ending, Finding, Trajectory } from './model';

/** What is said of a whole rollout, native or from a dump. */
export function outcomeFindings(t: Pick<Trajectory, 'turns' | 'final'>, ending: Ending): readonly Finding[] {
  const findings: Finding[] = [];
  if (t.turns.length === 0) {
    findings.push({ code: 'no-turns', severity: 'warning', message: 'The rollout has no search turns, so there is nothing to credit.' });
  }
  if (t.final === undefined && ending === 'complete') {
    findings.push({ code: 'no-answer', severity: 'warning', message: 'The rollout ends without an answer; its outcome is 0.' });
  }
  return findings;
}
