import type { Trajectory } from '../trajectory/model';
import { grade } from './metrics';
import { type Score, undefinedBecause } from './score';
import type { MetricId } from './settings';

/** R(ŷ, y) from the final answer: 0 for a rollout that ended without one, undefined where the file breaks off before it. */
export function outcomeOf(t: Trajectory, metric: MetricId): Score {
  if (t.final === undefined && t.ending === 'damaged') return undefinedBecause('the record breaks off before its end');
  return grade(metric, t.final?.answer, t.answers).score;
}
