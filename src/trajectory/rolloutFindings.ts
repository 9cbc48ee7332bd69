import type { Ending, Finding, Recorded, Trajectory } from './model';
import { quote } from './visible';

/** What is said of a whole rollout, native or from a dump. Without golds an answer has no outcome. */
export function outcomeFindings(t: Pick<Trajectory, 'turns' | 'final'>, ending: Ending, golds: number): readonly Finding[] {
  const findings: Finding[] = [];
  if (t.turns.length === 0) {
    findings.push({ code: 'no-turns', severity: 'warning', message: 'The rollout has no search turns, so there is nothing to credit.' });
  }
  if (t.final === undefined && ending === 'complete') {
    findings.push(
      golds === 0
        ? { code: 'no-answer', severity: 'information', message: 'The rollout ends without an answer.' }
        : { code: 'no-answer', severity: 'warning', message: 'The rollout ends without an answer; its outcome is 0.' },
    );
  }
  return findings;
}

/** What the file's own figures say against themselves. */
export function recordedFindings(recorded: Recorded | undefined, turns: number): readonly Finding[] {
  const findings: Finding[] = [];
  const { mask, rewards } = recorded?.tokens ?? {};
  const masked = mask === undefined ? -1 : (rewards ?? []).findIndex((reward, i) => reward !== null && reward !== 0 && mask[i] === 0);
  if (masked >= 0) {
    const message = `The recorded token ${String(masked)} has a reward (${String(rewards?.[masked])}) and is masked; a trainer that follows the mask never pays it.`;
    findings.push({ code: 'reward-on-masked-token', severity: 'warning', message });
  }
  for (const [name, figures] of Object.entries(recorded?.turns ?? {})) {
    if (figures.length === turns || figures.length === turns + 1) continue;
    const message = `${quote(name)} has ${String(figures.length)} figure(s) for ${String(turns)} turn(s); they cannot be told apart by turn.`;
    findings.push({ code: 'recorded-turns-differ', severity: 'information', message });
    break;
  }
  return findings;
}

/** A hostile file has a finding at every character; nobody reads more than these. */
const most = 200;

export function boundedFindings(findings: readonly Finding[]): readonly Finding[] {
  const more = findings.length - most;
  if (more <= 0) return findings;
  return [...findings.slice(0, most), { code: 'damaged', severity: 'information', message: `${String(more)} more findings are not listed.` }];
}
