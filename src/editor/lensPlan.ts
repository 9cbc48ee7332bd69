import { count, spikeTitle, trajectorySummary } from '../scoring/format';
import type { Anchors } from '../trajectory/anchors';
import type { Trajectory } from '../trajectory/model';
import { commands } from './ids';
import type { ShownScores } from './scoreBook';
import { standingMark } from './standing';

/** One code lens, before it is placed in a document. */
export interface PlannedLens {
  /** Offset in the document. */
  readonly at: number;
  readonly title: string;
  readonly command: string;
  /** Given to the command after the document's URI. */
  readonly turn?: number;
  readonly tooltip?: string;
}

export interface LensInput {
  readonly trajectory: Trajectory;
  readonly anchors?: Anchors;
  readonly shown?: ShownScores;
  /** Of the file: more than one offers the wider scopes. */
  readonly records: number;
  readonly isTranscript: boolean;
  readonly showQuiet: boolean;
}

/**
 * One group of lenses on the trajectory, always the same number of them, and one on each spike of what was scored, stale or not:
 * nothing jumps before *Clear Scores* or the next re-score.
 */
export function planLenses(input: LensInput): PlannedLens[] {
  const { anchors, trajectory, shown } = input;
  const at = anchors?.trajectory.start ?? 0;
  const mark = shown ? standingMark(shown.freshness) : '';
  const summary = shown ? mark + trajectorySummary(shown.scores) : unscored(trajectory);
  const lenses: PlannedLens[] = [
    shown
      ? { at, title: summary, command: commands.explain, turn: 0, tooltip: 'Show where these figures come from' }
      : { at, title: summary, command: commands.rescoreTrajectory },
    { at, title: 'Re-score', command: commands.rescoreTrajectory },
  ];
  if (input.records > 1) lenses.push({ at, title: 'Question', command: commands.rescoreQuestion, tooltip: 'Re-score every rollout of this question in the file' });
  if (input.records > 1) lenses.push({ at, title: 'File', command: commands.rescoreFile, tooltip: 'Re-score every rollout in the file' });
  lenses.push(
    input.isTranscript
      ? { at, title: 'Source', tooltip: 'Reveal in the source file', command: commands.revealInSource }
      : { at, title: 'Open transcript', command: commands.openTranscript },
  );
  for (const turn of shown?.scores.turns ?? []) {
    const anchor = anchors?.turns[turn.index - 1];
    if (!anchor || !shown || (!turn.spike && !input.showQuiet)) continue;
    lenses.push({ at: anchor.whole.start, title: mark + spikeTitle(shown.scores, turn.index), command: commands.explain, turn: turn.index });
  }
  return lenses;
}

const unscored = (t: Trajectory): string => `${count(t.turns.length, 'turn')}, not scored`;
