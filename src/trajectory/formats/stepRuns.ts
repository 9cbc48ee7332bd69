import type { Draft, SideDraft } from './format';
import { isText } from './row';
import type { Row } from './row';

/** The steps of one run among those of a file. */
export interface Run {
  readonly name?: string;
  readonly steps: readonly Row[];
}

/** Columns that name a run, the surest first. */
const columns = ['trajectory_id', 'episode_id', 'episode', 'run_id', 'session_id', 'sessionId', 'task_id', 'instance_id', 'task', 'question'];

/** Steps by the first of these columns that the first step has; runs in the order of their first steps. */
export function byRun(steps: readonly Row[], named?: string): readonly Run[] {
  const column = named ?? columns.find((name) => isName(steps[0]?.[name]));
  const runs = new Map<string, Row[]>();
  for (const step of steps) {
    const name = column !== undefined && isName(step[column]) ? String(step[column]) : '';
    const run = runs.get(name);
    if (run === undefined) runs.set(name, [step]);
    else run.push(step);
  }
  return [...runs].map(([name, own]) => ({ ...(name === '' ? {} : { name }), steps: own }));
}

const isName = (value: unknown): value is string | number => isText(value) || typeof value === 'number';

/** The file's other runs, beside the first. */
export function otherRuns(rest: readonly Run[], draftOf: (steps: readonly Row[]) => Draft | string): Pick<Draft, 'sideLines'> {
  const sideLines = rest.flatMap(({ name, steps }, i): readonly SideDraft[] => {
    const draft = draftOf(steps);
    return isText(draft) ? [] : [{ kind: 'attempt', name: name === undefined || name.length > 80 ? `run ${String(i + 2)}` : name, draft }];
  });
  return sideLines.length === 0 ? {} : { sideLines };
}
