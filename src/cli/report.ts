import type { TrajectoryScores } from '../scoring/model';
import type { Trajectory } from '../trajectory/model';
import { plainJson } from './plainText';
import { problemLine, scoreLine } from './scoreJson';
import { scoreTable } from './scoreTable';

/** How `turnlens score` writes what it found. */
export interface Report {
  rollout(file: string, record: number, t: Trajectory, scores: TrajectoryScores): string;
  /** Something that could not be read or scored; it is named on standard error as well. */
  problem(file: string, record: number | null, message: string): string;
}

export const jsonReport: Report = {
  rollout: (file, record, t, scores) => `${plainJson(scoreLine(file, record, t, scores))}\n`,
  problem: (file, record, message) => `${plainJson(problemLine(file, record, message))}\n`,
};

export const tableReport = (columns: number): Report => ({
  rollout: (file, record, t, scores) => `${scoreTable(file, record, t, scores, columns)}\n`,
  problem: () => '',
});
