import type { Action } from '../action';
import type { Dialect } from '../dialect';
import type { Finding } from '../model';
import { quote } from '../visible';

/** A rollout's text and its actions. */
interface Acted {
  readonly text: string;
  readonly actions: readonly Action[];
  readonly notes: readonly Finding[];
}

/**
 * What the environment writes after the answer is read by nobody (`Observation: Episode finished, reward = True`): it is no part of the rollout.
 * A plain message that somebody replied to is no answer; a call that gives the answer and ends the run is one, whatever its tool says.
 */
export function withoutEpilogue(dialect: Dialect, text: string, actions: readonly Action[]): Acted {
  const last = actions.at(-1);
  if (last?.answer === undefined || last.observation?.result === undefined) return { text, actions, notes: [] };
  if (last.called !== true && (dialect.plainAnswer === true || last.queries.length > 0)) return { text, actions, notes: [] };
  const { whole, result } = last.observation;
  const { policy, queries, answer, think, called } = last;
  const answering: Action = { policy, queries, answer, ...(think === undefined ? {} : { think }), ...(called === undefined ? {} : { called }) };
  const said = text.slice(result.start, last.called === true ? result.end : whole.end).trim();
  return { text: text.slice(0, whole.start), actions: [...actions.slice(0, -1), answering], notes: notesOn(said) };
}

function notesOn(said: string): readonly Finding[] {
  if (said === '') return [];
  return [{ code: 'text-after-answer', severity: 'information', message: `After the answer the environment wrote ${quote(said, 120)}, which the policy never read; it is left out.` }];
}
