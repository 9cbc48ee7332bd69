import { readAction } from './action';
import type { Action, Observation } from './action';
import type { Dialect } from './dialect';
import { fencedAction } from './fenced';
import { labelledAction, labelledValue } from './labelled';
import { observed } from './roleActions';
import { rolesOf, withoutEndToken } from './roles';
import { mapTags } from './tags';

/** Text that the policy alone wrote, as one action. */
export function exactAction(text: string, dialect: Dialect): Action {
  return { ...actionOf(withoutEndToken(text), dialect), policy: { start: 0, end: text.length } };
}

function actionOf(said: string, dialect: Dialect): Action {
  if (dialect.fenced === true) return fencedAction(said, dialect);
  if (dialect.labels !== undefined) return labelledAction(said, dialect.labels);
  const map = mapTags(said, dialect);
  return readAction(map, 0, map.hits.length, { start: 0, end: said.length });
}

/** Text that the environment alone wrote; empty: nothing came back. */
export function exactObservation(text: string, dialect: Dialect): Observation | undefined {
  if (text === '') return undefined;
  const whole = { start: 0, end: text.length };
  if (dialect.invalidAction !== '' && text.trim() === dialect.invalidAction.trim()) return { whole };
  const content = rolesOf(text)?.find(({ by }) => by === 'environment')?.content;
  if (content !== undefined) return observed(text, { by: 'environment', span: whole, content }, dialect);
  if (dialect.labels !== undefined) return { whole, result: labelledValue(text, dialect.labels) ?? whole };
  const { open, close } = dialect.tags.observation;
  const opens = text.indexOf(open);
  if (opens < 0) return { whole, result: whole };
  const closes = text.lastIndexOf(close);
  const from = opens + open.length;
  if (closes < from) return { whole, result: { start: from, end: whole.end }, truncated: true };
  return { whole, result: { start: from, end: closes } };
}
