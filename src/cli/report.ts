import type { TrajectoryScores } from '../scoring/model';
import type { ReplayPlan } from '../scoring/replayPlan';
import type { Dialect } from '../trajectory/dialect';
import type { Trajectory } from '../trajectory/model';
import { atifOf } from '../trajectory/writeAtif';
import { plainJson } from './plainText';
import { savedScores } from '../scoring/savedScores';
import { planLine, problemLine, scoreLine, type Place } from '../scoring/scoreJson';
import { planTable, scoreTable } from './scoreTable';

/** How `turnlens score` writes what it found. */
export interface Report {
  /** `plan`: on the first rollout of each question, of all its rollouts together; absent where it is not wanted. */
  rollout(place: Place, t: Trajectory, scores: TrajectoryScores, plan?: ReplayPlan): string;
  /** The plan alone, of the rollouts that make one tree. */
  plan(file: string, records: readonly number[], question: string, plan: ReplayPlan): string;
  /** Something that could not be read or scored; it is named on standard error as well. */
  problem(file: string, record: number | null, message: string): string;
}

export const jsonReport: Report = {
  rollout: (place, t, scores, plan) => `${plainJson(scoreLine(place, t, scores, plan))}\n`,
  plan: (file, records, question, plan) => `${plainJson(planLine(file, records, question, plan))}\n`,
  problem: (file, record, message) => `${plainJson(problemLine(file, record, message))}\n`,
};

/** One ATIF document a line, its scores in it; what gave none is on standard error alone. */
export const atifReport = (dialects: readonly Dialect[] = []): Report => ({
  rollout: (_, t, scores) => `${plainJson(atifOf(t, { dialects, scores: savedScores(t, scores) }))}\n`,
  plan: () => '',
  problem: () => '',
});

export const tableReport = (columns: number): Report => ({
  rollout: (place, t, scores, plan) => `${scoreTable(place, t, scores, columns, plan)}\n`,
  plan: (file, records, question, plan) => `${planTable(file, records, question, plan, columns)}\n`,
  problem: () => '',
});
