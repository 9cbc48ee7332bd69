import { keptVersion, packed } from './atif/kept';
import type { Kept } from './atif/kept';
import { stepsFingerprint } from './atif/fingerprint';
import { stepsOf } from './atif/steps';
import type { AtifResult, AtifStep } from './atif/steps';
import { findDialect, searchR1 } from './dialect';
import type { Dialect } from './dialect';
import type { SavedScores, SideLine, Trajectory } from './model';
import { prettyJson } from './prettyJson';

export interface AtifOptions {
  /** The user's own. */
  readonly dialects?: readonly Dialect[];
  /** What the trajectory was scored, in the keys of `turnlens score --json`. Absent: the scores that its own file held stay with it. */
  readonly scores?: SavedScores;
}

/** The ATIF version that is written. */
const version = 'ATIF-v1.7';

/**
 * A trajectory as an ATIF document: steps that any viewer of the format reads, and under `extra.turnlens` what it has no field for, so that
 * formats/atif.ts reads the same trajectory and scores back.
 */
export function atifOf(t: Trajectory, { dialects = [], scores }: AtifOptions = {}): object {
  return document(t, dialects, scores);
}

/** The same as text, for an editor. */
export const writeAtif = (t: Trajectory, options: AtifOptions = {}): string => `${prettyJson(atifOf(t, options))}\n`;

function document(t: Trajectory, dialects: readonly Dialect[], given: SavedScores | undefined, id?: string): object {
  const { sideLines = [], scored, ...trajectory } = t;
  const scores = given ?? scored;
  const steps = withReferences(stepsOf(t, findDialect(t.dialect, dialects) ?? searchR1), sideLines, t.turns.length);
  const kept: Kept = {
    version: keptVersion,
    steps: stepsFingerprint(steps),
    trajectory: packed(trajectory),
    sideLines: sideLines.map(({ kind, name, turn }) => ({ kind, name, ...(turn === undefined ? {} : { turn }) })),
    ...(scores === undefined ? {} : { scores }),
  };
  return {
    schema_version: version,
    ...(id === undefined ? {} : { trajectory_id: id }),
    agent: agentOf(t),
    steps,
    extra: { turnlens: kept },
    ...(sideLines.length === 0 ? {} : { subagent_trajectories: sideLines.map((line) => document(line.trajectory, dialects, undefined, line.name)) }),
  };
}

/** As the file named it. */
function agentOf({ recorded, dialect }: Trajectory): object {
  const agent = recorded?.extra?.['agent'];
  const { name, version: release, model_name: model } = typeof agent === 'object' && agent !== null ? (agent as Readonly<Record<string, unknown>>) : {};
  return {
    name: typeof name === 'string' ? name : dialect,
    version: typeof release === 'string' ? release : 'unknown',
    ...(typeof model === 'string' ? { model_name: model } : {}),
  };
}

/** References to the lines of a turn, with the first thing that came back in it. */
function withReferences(steps: readonly AtifStep[], lines: readonly SideLine[], turns: number): readonly AtifStep[] {
  const first = steps.findIndex((step) => step.source === 'agent' && step.is_copied_context !== true);
  const byStep = new Map<number, { trajectory_id: string }[]>();
  for (const { name, turn } of lines) {
    if (turn === undefined || turn > turns) continue;
    const at = first + turn - 1;
    const known = byStep.get(at);
    if (known === undefined) byStep.set(at, [{ trajectory_id: name }]);
    else known.push({ trajectory_id: name });
  }
  return steps.map((step, i) => {
    const references = byStep.get(i);
    if (references === undefined) return step;
    const [result, ...others]: readonly AtifResult[] = step.observation?.results ?? [];
    return { ...step, observation: { results: [{ ...result, subagent_trajectory_ref: references }, ...others] } };
  });
}
