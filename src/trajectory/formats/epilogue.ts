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
 * A plain message that somebody replied to is no answer.
 */
export function withoutEpilogue(dialect: Dialect, text: string, actions: readonly Action[]): Acted {
  const last = actions.at(-1);
  if (dialect.plainAnswer === true || last?.answer === undefined || last.observation?.result === undefined || last.queries.length > 0) return { text, actions, notes: [] };
  const { start, end } = last.observation.whole;
  const answering: Action = { policy: last.policy, queries: last.queries, answer: last.answer, ...(last.think === undefined ? {} : { think: last.think }) };
  return { text: text.slice(0, start), actions: [...actions.slice(0, -1), answering], notes: notesOn(text.slice(last.observation.result.start, end).trim()) };
}

function notesOn(said: string): readonly Finding[] {
  if (said === '') return [];
  return [{ code: 'text-after-answer', severity: 'information', message: `After the answer the environment wrote ${quote(said, 120)}, which the policy never read; it is left out.` }];
}
